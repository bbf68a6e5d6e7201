// Printing: everything in the report on paper, at the time that is shown, in light colours; afterwards the page is as before.
import type { Player } from './player';
import type { Tabs } from './tabs/tabs';
import type { ThemeControl } from './theme';

export function listenToPrinting(tabs: Tabs, theme: ThemeControl, player: Player): void {
  addEventListener('beforeprint', () => {
    player.pause();
    theme.print(true);
    tabs.unfold();
  });
  addEventListener('afterprint', () => {
    tabs.fold();
    theme.print(false);
  });
}
