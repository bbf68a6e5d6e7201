// What the address says behind its #: "t=0.5" stands still at that time, "shot=drawing" shows the drawing alone, for pictures.
import type { Player } from './player';

export interface Fragment {
  /** Where to stand still, in seconds; NaN when nothing is said. */
  readonly time: number;
  readonly drawingOnly: boolean;
}

export function readFragment(hash: string): Fragment {
  const words = new URLSearchParams(hash.replace(/^#/, ''));
  const time = words.get('t');
  return { time: time ? Number(time) : NaN, drawingOnly: words.get('shot') === 'drawing' };
}

/** Follows the address now and whenever it changes; true when the page is to stand still. */
export function followFragment(player: Player): boolean {
  const follow = (): boolean => {
    const { time, drawingOnly } = readFragment(location.hash);
    document.documentElement.classList.toggle('shot', drawingOnly);
    if (!Number.isNaN(time)) {
      player.pause();
      player.seek(time);
    }
    return drawingOnly || !Number.isNaN(time);
  };
  addEventListener('hashchange', follow);
  return follow();
}
