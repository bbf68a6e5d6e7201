// Printing: everything in the report on paper, at the time that is shown, in light colours; afterwards the page is as before.
import type { Player } from './player';
import type { Scene } from './scene/scene';
import type { Tabs } from './tabs/tabs';
import type { ThemeControl } from './theme';

/** Opens all that is folded, and gives back what was closed. */
function openAll(): HTMLDetailsElement[] {
  const closed = [...document.querySelectorAll<HTMLDetailsElement>('#app details:not([open])')];
  for (const part of closed) {
    part.open = true;
    // What is inside may be made when it is opened; the browser's own event would come after the printing.
    part.dispatchEvent(new Event('toggle'));
  }
  return closed;
}

export function listenToPrinting(tabs: Tabs, theme: ThemeControl, player: Player, scene: Scene): void {
  let closed: HTMLDetailsElement[] = [];
  addEventListener('beforeprint', () => {
    player.pause();
    theme.print(true);
    tabs.unfold();
    closed.push(...openAll());
    scene.print(true);
  });
  addEventListener('afterprint', () => {
    for (const part of closed) part.open = false;
    closed = [];
    tabs.fold();
    theme.print(false);
    scene.print(false);
  });
}
