// The outline of a body as SVG, for diagrams: bars and plates with the width of a line, solids to scale.
import type { Page, Point } from '../data';
import type { Outline } from '../scene/geometry';
import { blockFrame, boxCorners, outlineOf, solidCorners } from '../scene/geometry';
import { polyline, svg } from './svg';

/** Puts a point of the body, in its axes, on the drawing. */
export type Put = (p: Readonly<Point>) => Point;

export class BodyShapes {
  private readonly outlines_: Outline[];
  /** Directions of the slides of bodies that are drawn as blocks. */
  private readonly blocks_: (number | null)[];

  constructor(page: Page) {
    this.outlines_ = page.bodies.map((_, i) => outlineOf(page, i));
    this.blocks_ = page.bodies.map((_, i) => {
      const joint = page.joints.find((j) => j.kind === 'prismatic' && blockFrame(j).body === i);
      return joint ? blockFrame(joint).angle : null;
    });
  }

  /** Points that bound the body, in its axes. */
  extent(body: number): Point[] {
    const { dots, bars, plates, solids } = this.outlines_[body];
    return [...dots, ...bars.flat(), ...plates.flat(), ...solids.flatMap(solidCorners)];
  }

  /** Lines that texts keep off. */
  edges(body: number): [Point, Point][] {
    const { bars, plates, solids } = this.outlines_[body];
    const around = (points: readonly Point[]): [Point, Point][] => points.map((p, i) => [p, points[(i + 1) % points.length]]);
    return [...bars.map(([a, b]): [Point, Point] => [a, b]), ...plates.flatMap(around), ...solids.flatMap((s) => around(solidCorners(s)))];
  }

  /** `scale` in pixels per metre, `width` of a bar in pixels; `kind` is a class for the colours. */
  draw(body: number, put: Put, scale: number, width: number, kind: string): SVGElement {
    const group = svg('g', { class: `body ${kind}` });
    const { dots, bars, plates, solids } = this.outlines_[body];
    for (const solid of solids) {
      if (solid.kind === 'disc') {
        const [cx, cy] = put(solid.centre), [x, y] = put([solid.centre[0] + solid.radius, solid.centre[1]]);
        group.append(svg('circle', { class: 'solid', cx, cy, r: solid.radius * scale }), svg('path', { class: 'mark', d: polyline([[cx, cy], [x, y]]) }));
      } else {
        const corners = solid.kind === 'box' ? boxCorners(solid.centre, solid.size, solid.angle ?? 0) : solid.kind === 'polygon' ? solid.points : [];
        group.append(svg('path', { class: 'solid', d: polyline(corners.map(put), true) }));
      }
    }
    // First all edges, then all insides, so that the bars of one body melt together.
    for (const layer of ['edge', 'inside']) {
      const stroke = layer === 'edge' ? width : Math.max(1, width - 2.4);
      for (const bar of bars) group.append(svg('path', { class: layer, d: polyline(bar.map(put)), 'stroke-width': stroke }));
      for (const plate of plates) group.append(svg('path', { class: `${layer} plate`, d: polyline(plate.map(put), true), 'stroke-width': stroke }));
    }
    for (const dot of dots) {
      const [cx, cy] = put(dot);
      group.append(svg('circle', { class: 'solid', cx, cy, r: 0.7 * width }));
    }
    if (!group.childNodes.length && this.blocks_[body] !== null) this.drawBlock(group, put, this.blocks_[body], width);
    return group;
  }

  private drawBlock(group: SVGElement, put: Put, angle: number, width: number): void {
    const [cx, cy] = put([0, 0]), [x, y] = put([Math.cos(angle), Math.sin(angle)]), along = Math.atan2(y - cy, x - cx);
    const a = 2 * width, b = 1.25 * width, c = Math.cos(along), s = Math.sin(along);
    const corners: Point[] = [[-a, -b], [a, -b], [a, b], [-a, b]].map(([u, v]) => [cx + c * u - s * v, cy + s * u + c * v]);
    group.append(svg('path', { class: 'solid', d: polyline(corners, true) }));
  }
}

/** The mark of a mass centre: a circle in quarters, two of them filled. */
export function comMark([x, y]: Readonly<Point>, r = 5): SVGElement {
  const group = svg('g', { class: 'com' });
  group.append(svg('circle', { cx: x, cy: y, r }),
    svg('path', { d: `M${x} ${y}h${r}A${r} ${r} 0 0 1 ${x} ${y + r}ZM${x} ${y}h${-r}A${r} ${r} 0 0 1 ${x} ${y - r}Z` }));
  return group;
}
