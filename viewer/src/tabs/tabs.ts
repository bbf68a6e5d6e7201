// The row of tabs beside the drawing: one panel at a time, arrow keys move between them.
import { h } from '../dom';

export interface Tab {
  readonly id: string;
  readonly title: string;
  readonly panel: HTMLElement;
  /** Called when the panel becomes visible or its place changes size. */
  onShow?(): void;
  /** Called before printing, when all panels are visible; onShow follows when it is over. */
  onPrint?(): void;
}

export class Tabs {
  readonly element: HTMLElement;
  private current_: Tab;
  private readonly buttons_ = new Map<string, HTMLButtonElement>();

  constructor(private readonly tabs: readonly Tab[]) {
    const list = h('div', { class: 'tablist', role: 'tablist', 'aria-label': 'Results' });
    const body = h('div', { class: 'panels' });
    for (const tab of tabs) {
      const button = h('button', { role: 'tab', id: `tab-${tab.id}`, 'aria-controls': `panel-${tab.id}`, onclick: () => this.show(tab.id) }, tab.title);
      this.buttons_.set(tab.id, button);
      list.append(button);
      tab.panel.id = `panel-${tab.id}`;
      tab.panel.setAttribute('role', 'tabpanel');
      tab.panel.setAttribute('aria-labelledby', `tab-${tab.id}`);
      tab.panel.tabIndex = 0;
      tab.panel.dataset.title = tab.title;
      body.append(tab.panel);
    }
    list.addEventListener('keydown', (e) => {
      const index = tabs.indexOf(this.current_);
      const next = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: tabs.length - 1 }[e.key];
      if (next === undefined) return;
      e.preventDefault();
      e.stopPropagation();
      const tab = tabs[(next + tabs.length) % tabs.length];
      this.show(tab.id);
      this.buttons_.get(tab.id)?.focus();
    });
    this.element = h('section', { class: 'side', 'aria-label': 'Results' }, list, body);
    this.current_ = tabs[0];
    this.show(tabs[0].id);
    new ResizeObserver(() => this.current_.onShow?.()).observe(body);
  }

  get current(): string { return this.current_.id; }

  /** All panels one below the other, for printing. */
  unfold(): void {
    for (const tab of this.tabs) tab.panel.hidden = false;
    for (const tab of this.tabs) (tab.onPrint ?? tab.onShow)?.call(tab);
  }

  fold(): void { this.show(this.current_.id); }

  show(id: string): void {
    this.current_ = this.tabs.find((t) => t.id === id) ?? this.current_;
    for (const tab of this.tabs) {
      const shown = tab === this.current_;
      tab.panel.hidden = !shown;
      const button = this.buttons_.get(tab.id)!;
      button.setAttribute('aria-selected', String(shown));
      button.tabIndex = shown ? 0 : -1;
    }
    this.current_.onShow?.();
  }
}
