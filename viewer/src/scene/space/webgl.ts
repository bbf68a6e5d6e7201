// Paints solids with three.js. One shader draws surfaces and their outlines, so that a body with all its symbols is one call.
import { BufferAttribute, BufferGeometry, Camera, DoubleSide, FrontSide, GLSL3, Mesh, RawShaderMaterial, Scene, WebGLRenderer } from 'three';
import type { Object3D } from 'three';
import type { Lens, Look, Painter, Shown, Trail } from './painter';
import type { Solid } from './solid';
import { Tint, kDashed, kTints } from './solid';
import type { Placement } from './vectors';

const kEdge_px = 1.1;

const kVertex = `
precision highp float;
in vec3 position;
in vec3 normal;
in vec4 info;  // along, tint, part, 1 for the outline
uniform mat4 modelMatrix, viewMatrix, projectionMatrix;
uniform vec2 pixel;  // of the picture, in clip units
uniform float selected, hovered, unit;
out vec3 facing;
out float along;
flat out float tint;
flat out float emphasis;
flat out float outline;
void main() {
  float stretch = length(modelMatrix[0].xyz), scale = length(modelMatrix[1].xyz);
  vec4 world = modelMatrix * vec4(info.x + position.x * scale / stretch, position.yz, 1.0);
  vec3 n = modelMatrix[0].xyz * (normal.x / stretch) + modelMatrix[1].xyz * (normal.y / scale) + modelMatrix[2].xyz * (normal.z / scale);
  facing = mat3(viewMatrix) * n;
  along = info.x * stretch + position.x * scale;
  tint = info.y;
  outline = info.w;
  emphasis = abs(info.z - selected) < 0.5 ? 2.0 : abs(info.z - hovered) < 0.5 ? 1.0 : 0.0;
  vec4 seen = viewMatrix * world;
  gl_Position = projectionMatrix * seen;
  float plain = mod(tint, ${kDashed}.0);
  if (plain == ${Tint.force}.0 || plain == ${Tint.moment}.0 || plain == ${Tint.velocity}.0 || plain == ${Tint.applied}.0) {
    // Arrows start inside symbols: for what hides what they count as nearer.
    vec4 nearer = projectionMatrix * (seen + vec4(0.0, 0.0, 7.0 * unit, 0.0));
    gl_Position.z = nearer.z / nearer.w * gl_Position.w;
  }
  if (outline > 0.5) {
    float width = ${kEdge_px.toFixed(2)} + (emphasis > 0.5 ? 0.9 : 0.0);
    vec2 side = length(facing.xy) > 1e-4 ? normalize(facing.xy) : vec2(0.0);
    gl_Position.xy += side * width * pixel * gl_Position.w;
  }
}`;

const kFragment = `
precision highp float;
in vec3 facing;
in float along;
flat in float tint;
flat in float emphasis;
flat in float outline;
uniform vec3 tints[${kTints}];
uniform vec3 edge, accent, accentSoft;
uniform float unit, ratio;  // ratio: device pixels for one of CSS
out vec4 colour;
void main() {
  float style = floor(tint / ${kDashed}.0), plain = tint - style * ${kDashed}.0;
  vec3 base = tints[int(plain + 0.5)];
  if (style > 0.5 && style < 1.5 && fract(along / (1.5 * unit)) > 0.55) discard;
  if (outline > 0.5) {
    colour = vec4(emphasis > 0.5 ? accent : plain > 4.5 ? base * 0.72 : edge, 1.0);
    return;
  }
  if (style > 1.5) base = mix(base, edge, smoothstep(0.5, 0.62, abs(fract((gl_FragCoord.x + gl_FragCoord.y) / (6.5 * ratio)) * 2.0 - 1.0)) * 0.5);
  if (emphasis > 1.5) base = mix(base, accentSoft, 0.72);
  vec3 n = normalize(facing);
  float key = max(0.0, dot(n, vec3(-0.36, 0.56, 0.75))), fill = max(0.0, dot(n, vec3(0.7, -0.3, 0.3)));
  float light = plain > 4.5 ? 0.85 + 0.2 * key : 0.6 + 0.42 * key + 0.1 * fill;
  colour = vec4(base * light, 1.0);
}`;

// A path as a ribbon of constant width on the screen; bright where it was just passed.
const kTrailVertex = `
precision highp float;
in vec3 position;
in vec3 next;
in vec2 mark;  // time, side
uniform mat4 viewMatrix, projectionMatrix;
uniform vec2 pixel;
uniform float time, tail;
out float bright;
void main() {
  vec4 a = projectionMatrix * viewMatrix * vec4(position, 1.0), b = projectionMatrix * viewMatrix * vec4(next, 1.0);
  vec2 d = (b.xy / b.w - a.xy / a.w) / pixel;
  vec2 side = length(d) > 1e-6 ? normalize(vec2(-d.y, d.x)) : vec2(0.0, 1.0);
  bright = mark.x > time ? 0.0 : clamp(1.0 - (time - mark.x) / max(tail, 1e-30), 0.0, 1.0);
  a.xy += side * mark.y * (0.55 + 0.75 * step(0.001, bright)) * pixel * a.w;
  gl_Position = a;
}`;
const kTrailFragment = `
precision highp float;
in float bright;
uniform vec3 tint;
out vec4 colour;
void main() { colour = vec4(tint, 0.28 + 0.7 * bright); }`;

class ThreeShown implements Shown {
  constructor(readonly solid: Solid, readonly object: Object3D) {}
  get visible(): boolean { return this.object.visible; }
  set visible(v: boolean) { this.object.visible = v; }
  put({ p, q }: Placement, length = 1, scale = 1): void {
    this.object.position.set(p[0], p[1], p[2]);
    this.object.quaternion.set(q[1], q[2], q[3], q[0]);
    this.object.scale.set(length, scale, scale);
  }
  at(): Placement {
    const p = this.object.position, q = this.object.quaternion;
    return { p: [p.x, p.y, p.z], q: [q.w, q.x, q.y, q.z] };
  }
}

/** A context of WebGL 2, or null where the browser has none. */
export function webglContext(canvas: HTMLCanvasElement): WebGL2RenderingContext | null {
  try {
    return canvas.getContext('webgl2', { antialias: true, alpha: false, preserveDrawingBuffer: true });
  } catch {
    return null;
  }
}

export class WebglPainter implements Painter {
  private readonly renderer_: WebGLRenderer;
  private readonly scene_ = new Scene();
  private readonly camera_ = new Camera();
  private readonly material_: RawShaderMaterial;
  private ratio_ = 1;
  private readonly trails_: { material: RawShaderMaterial; tint: number }[] = [];

  constructor(readonly canvas: HTMLCanvasElement, context: WebGL2RenderingContext) {
    this.renderer_ = new WebGLRenderer({ canvas, context, antialias: true });
    this.renderer_.sortObjects = true;
    this.camera_.matrixAutoUpdate = this.camera_.matrixWorldAutoUpdate = false;
    const uniforms = Object.fromEntries(['tints', 'edge', 'accent', 'accentSoft', 'unit', 'ratio', 'pixel', 'selected', 'hovered'].map((name) => [name, { value: 0 as unknown }]));
    this.material_ = new RawShaderMaterial({ glslVersion: GLSL3, vertexShader: kVertex, fragmentShader: kFragment, uniforms, side: FrontSide });
  }

  get drawn(): number { return this.renderer_.info.render.calls; }

  show(solid: Solid): Shown {
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(solid.positions, 3));
    geometry.setAttribute('normal', new BufferAttribute(solid.normals, 3));
    geometry.setAttribute('info', new BufferAttribute(solid.info, 4));
    geometry.setIndex(new BufferAttribute(solid.triangles, 1));
    const mesh = new Mesh(geometry, this.material_);
    mesh.frustumCulled = false;
    this.scene_.add(mesh);
    return new ThreeShown(solid, mesh);
  }

  trail(points: Float32Array, times: Float32Array, tint: number): Trail {
    const n = times.length, position = new Float32Array(6 * n), next = new Float32Array(6 * n), mark = new Float32Array(4 * n), index = new Uint32Array(6 * Math.max(0, n - 1));
    for (let i = 0; i < n; i++) {
      // The last point looks back, so that its direction points the same way.
      const j = Math.min(i + 1, n - 1);
      for (const s of [0, 1]) {
        for (let k = 0; k < 3; k++) {
          position[6 * i + 3 * s + k] = points[3 * i + k];
          next[6 * i + 3 * s + k] = j > i ? points[3 * j + k] : 2 * points[3 * i + k] - points[3 * Math.max(0, i - 1) + k];
        }
        mark[4 * i + 2 * s] = times[i];
        mark[4 * i + 2 * s + 1] = s ? 1 : -1;
      }
      if (i + 1 < n) index.set([2 * i, 2 * i + 1, 2 * i + 3, 2 * i, 2 * i + 3, 2 * i + 2], 6 * i);
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(position, 3));
    geometry.setAttribute('next', new BufferAttribute(next, 3));
    geometry.setAttribute('mark', new BufferAttribute(mark, 2));
    geometry.setIndex(new BufferAttribute(index, 1));
    const uniforms = Object.fromEntries(['tint', 'pixel', 'time', 'tail'].map((name) => [name, { value: 0 as unknown }]));
    const material = new RawShaderMaterial({ glslVersion: GLSL3, vertexShader: kTrailVertex, fragmentShader: kTrailFragment, uniforms, side: DoubleSide, transparent: true, depthWrite: false });
    this.trails_.push({ material, tint });
    const mesh = new Mesh(geometry, material);
    mesh.frustumCulled = false;
    this.scene_.add(mesh);
    return mesh;
  }

  resize(width: number, height: number, ratio: number): void {
    this.ratio_ = ratio;
    this.renderer_.setPixelRatio(ratio);
    this.renderer_.setSize(width, height, false);
  }

  draw(lens: Lens, look: Look): void {
    const { uniforms } = this.material_, pixel = [2 / lens.width, 2 / lens.height];
    uniforms.tints.value = look.tints.flat();
    uniforms.edge.value = look.edge;
    uniforms.accent.value = look.accent;
    uniforms.accentSoft.value = look.accentSoft;
    uniforms.unit.value = look.u;
    uniforms.ratio.value = this.ratio_;
    uniforms.pixel.value = pixel;
    uniforms.selected.value = look.selected;
    uniforms.hovered.value = look.hovered;
    for (const { material, tint } of this.trails_) {
      material.uniforms.tint.value = look.tints[tint];
      material.uniforms.pixel.value = pixel;
      material.uniforms.time.value = look.time;
      material.uniforms.tail.value = look.tail_s;
    }
    const byte = (x: number): number => Math.round(255 * x);
    this.renderer_.setClearColor((byte(look.paper[0]) << 16) | (byte(look.paper[1]) << 8) | byte(look.paper[2]), 1);
    this.camera_.matrixWorldInverse.fromArray(lens.view);
    this.camera_.matrixWorld.copy(this.camera_.matrixWorldInverse).invert();
    this.camera_.projectionMatrix.fromArray(lens.projection);
    this.camera_.projectionMatrixInverse.copy(this.camera_.projectionMatrix).invert();
    this.renderer_.render(this.scene_, this.camera_);
  }
}
