// The part of three.js that the drawing uses, as types; the package brings none of its own.
declare module 'three' {
  export class Vector2 { constructor(x: number, y: number); x: number; y: number }
  export const ShapeUtils: { triangulateShape(contour: Vector2[], holes: Vector2[][]): [number, number, number][] };
  export class Vector3 { x: number; y: number; z: number; set(x: number, y: number, z: number): this }
  export class Quaternion { x: number; y: number; z: number; w: number; set(x: number, y: number, z: number, w: number): this }
  export class Matrix4 { elements: number[]; fromArray(a: ArrayLike<number>): this; copy(m: Matrix4): this; invert(): this }
  export class Object3D {
    readonly position: Vector3; readonly quaternion: Quaternion; readonly scale: Vector3;
    readonly matrix: Matrix4; readonly matrixWorld: Matrix4;
    visible: boolean; matrixAutoUpdate: boolean; matrixWorldAutoUpdate: boolean; frustumCulled: boolean; renderOrder: number;
    add(...objects: Object3D[]): this;
  }
  export class Scene extends Object3D {}
  export class Camera extends Object3D { readonly matrixWorldInverse: Matrix4; readonly projectionMatrix: Matrix4; readonly projectionMatrixInverse: Matrix4 }
  export class BufferAttribute { constructor(array: ArrayLike<number>, itemSize: number) }
  export class BufferGeometry {
    setAttribute(name: string, attribute: BufferAttribute): this;
    setIndex(attribute: BufferAttribute): this;
    dispose(): void;
  }
  export interface Uniform { value: unknown }
  export class RawShaderMaterial {
    constructor(parameters: Record<string, unknown>);
    readonly uniforms: Record<string, Uniform>;
  }
  export class Mesh extends Object3D { constructor(geometry: BufferGeometry, material: RawShaderMaterial) }
  export class WebGLRenderer {
    constructor(parameters: { canvas: HTMLCanvasElement; context?: WebGL2RenderingContext; antialias?: boolean });
    autoClear: boolean; sortObjects: boolean;
    readonly debug: { checkShaderErrors: boolean };
    readonly info: { render: { calls: number; triangles: number } };
    setSize(width: number, height: number, updateStyle?: boolean): void;
    setPixelRatio(ratio: number): void;
    setClearColor(colour: number, alpha?: number): void;
    render(scene: Scene, camera: Camera): void;
  }
  export const GLSL3: string;
  export const DoubleSide: number;
  export const FrontSide: number;
}
