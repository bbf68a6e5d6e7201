// Instant centres laid over the drawing of a planar mechanism: of every body with the ground, and of joined bodies.
import type { Page, Point } from '../data';
import { locate } from '../data';
import { InstantCentres } from '../learn/centres';
import { centreName } from '../learn/centres_view';
import type { NamePlaces } from './name_places';
import type { Pen } from './symbols';

export class InstantOverlay {
  private readonly centres_: InstantCentres;

  constructor(private readonly page: Page, mechanics: NonNullable<Page['mechanics']>) {
    this.centres_ = new InstantCentres(page, mechanics);
  }

  /** `at` puts a point of the ground axes on the canvas. */
  draw(pen: Pen, time: number, at: (x: number, y: number) => Point, names: NamePlaces): void {
    const { ctx, palette } = pen;
    for (const c of this.centres_.mainAt(locate(this.page.time, time))) {
      if (!c.at) continue;
      const p = at(...c.at);
      ctx.beginPath();
      ctx.arc(p[0], p[1], 5, 0, 2 * Math.PI);
      ctx.fillStyle = c.i === 1 ? palette.force : palette.paper;
      ctx.strokeStyle = palette.force;
      ctx.lineWidth = 2;
      ctx.fill();
      ctx.stroke();
      names.put(centreName(c), [p[0] - 9, p[1] + 12], { colour: palette.force, align: 'right' });
    }
  }
}
