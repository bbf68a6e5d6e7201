// The Learn tab: free-body diagrams, velocity and acceleration polygons, instant centres and the worked solution.
import type { Page } from '../data';
import { h } from '../dom';
import { CentresView } from '../learn/centres_view';
import { FreeBodyView } from '../learn/freebody';
import { PolygonView } from '../learn/polygons';
import { WorkedView } from '../learn/worked';
import type { Player } from '../player';
import type { Selection } from '../selection';
import type { Tab } from './tabs';

interface View { readonly element: HTMLElement; /** Its place may have changed. */ refit(): void; show(): void }
interface Lesson { readonly id: string; readonly title: string; readonly make: () => View }

/** What there is to learn from this report. */
function lessons(page: Page, player: Player, selection: Selection): Lesson[] {
  const { mechanics, explanation } = page, out: Lesson[] = [];
  if (mechanics?.bodies.length && page.time.length) {
    out.push({ id: 'free-body', title: 'Free body', make: () => new FreeBodyView(page, mechanics, player, selection) });
    if (mechanics.planar) {
      out.push({ id: 'velocities', title: 'Velocities', make: () => new PolygonView(page, mechanics, player, selection, 'velocity') },
        { id: 'accelerations', title: 'Accelerations', make: () => new PolygonView(page, mechanics, player, selection, 'acceleration') },
        { id: 'centres', title: 'Centres', make: () => new CentresView(page, mechanics, player) });
    }
  }
  if (explanation) out.push({ id: 'worked', title: 'Solution', make: () => new WorkedView(explanation) });
  return out;
}

export class LearnTab implements Tab {
  readonly id = 'learn';
  readonly title = 'Learn';
  readonly panel: HTMLElement;
  private readonly views_ = new Map<string, View>();
  private readonly buttons_ = new Map<string, HTMLButtonElement>();
  private readonly place_ = h('div', { class: 'lesson' });
  private current_: string;

  /** Null where the data has nothing for it. */
  static make(page: Page, player: Player, selection: Selection): LearnTab | null {
    const all = lessons(page, player, selection);
    return all.length ? new LearnTab(all, player, selection) : null;
  }

  private constructor(private readonly lessons: readonly Lesson[], player: Player, selection: Selection) {
    const bar = h('div', { class: 'segments', role: 'group', 'aria-label': 'What to look at' });
    for (const { id, title } of lessons) {
      const button = h('button', { class: 'toggle', 'data-lesson': id, onclick: () => this.open(id) }, title);
      this.buttons_.set(id, button);
      bar.append(button);
    }
    this.panel = h('div', { class: 'panel learn-panel' }, bar, this.place_);
    this.current_ = lessons[0].id;
    player.listen(() => this.show());
    selection.listen(() => this.show());
  }

  onShow(): void { this.open(this.current_); }

  /** All of them, one below the other. */
  onPrint(): void {
    this.place_.replaceChildren();
    for (const { id, title, make } of this.lessons) {
      let view = this.views_.get(id);
      if (!view) this.views_.set(id, (view = make()));
      this.place_.append(h('h2', { class: 'printed' }, title), view.element);
      view.refit();
      view.show();
    }
  }

  /** Views are made when they are first looked at. */
  open(id: string): void {
    this.current_ = id;
    let view = this.views_.get(id);
    if (!view) this.views_.set(id, (view = this.lessons.find((l) => l.id === id)!.make()));
    for (const [key, button] of this.buttons_) button.setAttribute('aria-pressed', String(key === id));
    if (this.place_.firstChild !== view.element || this.place_.childNodes.length > 1) this.place_.replaceChildren(view.element);
    view.refit();
    this.show();
  }

  private show(): void {
    if (!this.panel.hidden) this.views_.get(this.current_)?.show();
  }
}
