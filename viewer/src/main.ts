// Puts the page together: reads the data, makes the parts and ties them to one clock and one selection.
import './style.css';
import { readPage } from './data';
import type { Page } from './data';
import { append, h, icon } from './dom';
import { makeHeader, makeNotices } from './header';
import { Player } from './player';
import { listenToPrinting } from './print';
import { PlanarScene } from './scene/planar';
import type { Scene, SceneOptions } from './scene/scene';
import type { PartKind, PartRef } from './selection';
import { Selection, kPartTitles, partsOf } from './selection';
import { DataTab } from './tabs/data';
import { EquationsTab } from './tabs/equations';
import { LearnTab } from './tabs/learn';
import { LoadsTab } from './tabs/loads';
import { ModelTab } from './tabs/model';
import { PlotsTab } from './tabs/plots';
import type { Tab } from './tabs/tabs';
import { Tabs } from './tabs/tabs';
import { ThemeControl } from './theme';
import { makeTimeBar } from './timebar';

/** For tests and for the console: the page by hand. */
interface LinkworkHandle {
  ready: boolean;
  seek(t: number): void;
  time(): number;
  playing(): boolean;
  /** Origin and angle of a body in ground axes, as drawn. */
  pose(body: string): [number, number, number] | null;
  /** Where a point of the ground axes is drawn, in pixels of the window. */
  screen(x: number, y: number): [number, number] | null;
  select(kind: PartKind, name: string): void;
}
declare global {
  interface Window { linkwork: LinkworkHandle }
}

function makeScene(page: Page, selection: Selection, theme: ThemeControl): Scene | null {
  return page.space === 'planar' ? new PlanarScene(page, selection, theme) : null;
}

/** Switches and the list of parts, laid over the upper edge of the drawing. */
function makeSceneControls(page: Page, scene: Scene, selection: Selection): { element: HTMLElement; flip: (option: keyof SceneOptions) => void } {
  const buttons = new Map<keyof SceneOptions, HTMLButtonElement>();
  const flip = (option: keyof SceneOptions): void => {
    if (!buttons.has(option)) return;
    scene.options[option] = !scene.options[option];
    buttons.get(option)?.setAttribute('aria-pressed', String(scene.options[option]));
    scene.refresh();
  };
  const toggle = (option: keyof SceneOptions, text: string, key: string): HTMLElement => {
    const button = h('button', { class: 'toggle', 'aria-pressed': String(scene.options[option] ?? false), title: key ? `${text} (${key})` : text, onclick: () => flip(option) }, text);
    buttons.set(option, button);
    return button;
  };
  const parts = h('select', { class: 'parts', 'aria-label': 'Select a part' }, h('option', { value: '' }, 'Select a part'));
  for (const kind of Object.keys(kPartTitles) as PartKind[]) {
    const list = partsOf(page, kind);
    if (list.length) parts.append(h('optgroup', { label: kPartTitles[kind] }, ...list.map((p, i) => h('option', { value: `${kind} ${i}` }, p.name))));
  }
  parts.addEventListener('change', () => {
    const [kind, index] = parts.value.split(' ');
    selection.set(kind ? { kind: kind as PartKind, index: Number(index) } : null);
  });
  selection.listen((part) => (parts.value = part ? `${part.kind} ${part.index}` : ''));
  const reactions = page.joints.some((j) => j.force || j.moment);
  const element = h('div', { class: 'scene-controls' }, parts, h('span', { class: 'gap' }),
    h('div', { class: 'toggles', role: 'group', 'aria-label': 'Show in the drawing' },
      toggle('labels', 'Labels', 'L'), reactions ? toggle('reactions', 'Reactions', 'R') : null,
      page.bodies.some((b) => b.com) ? toggle('centres', 'Mass centres', 'M') : null, page.traces.length ? toggle('traces', 'Traces', '') : null,
      page.mechanics?.planar ? toggle('instants', 'Centres', 'I') : null,
      h('button', { title: 'Frame the whole motion (0)', 'aria-label': 'Frame the whole motion', onclick: () => scene.resetView() }, icon('M2 5.5V2h3.5M10.5 2H14v3.5M14 10.5V14h-3.5M5.5 14H2v-3.5'))));
  return { element, flip };
}

function listenToKeys(player: Player, scene: Scene | null, selection: Selection, theme: ThemeControl, flip: (option: keyof SceneOptions) => void): void {
  document.addEventListener('keydown', (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || e.defaultPrevented || document.querySelector('dialog.picker[open]')) return;
    const target = e.target instanceof HTMLElement ? e.target : document.body;
    const slider = target instanceof HTMLInputElement && target.type === 'range';
    if (!slider && target.matches('input, select, textarea')) return;
    if (e.key === ' ' && target.matches('button, summary, a')) return;
    const zoom = (factor: number): void => (scene instanceof PlanarScene ? scene.zoomBy(factor) : undefined);
    const actions: Record<string, () => void> = {
      ' ': () => player.toggle(),
      ArrowLeft: () => player.step(e.shiftKey ? -10 : -1),
      ArrowRight: () => player.step(e.shiftKey ? 10 : 1),
      Home: () => player.seek(player.start),
      End: () => { player.pause(); player.seek(player.end); },
      Escape: () => selection.set(null),
      t: () => theme.toggle(), l: () => flip('labels'), r: () => flip('reactions'), m: () => flip('centres'), i: () => flip('instants'),
      '+': () => zoom(1.25), '=': () => zoom(1.25), '-': () => zoom(0.8), '0': () => scene?.resetView(),
    };
    const action = actions[e.key.length === 1 ? e.key.toLowerCase() : e.key];
    if (!action) return;
    e.preventDefault();
    action();
  });
}

function start(): void {
  const app = document.getElementById('app')!;
  const theme = new ThemeControl();
  const loaded = readPage(document.getElementById('linkwork-data')?.textContent ?? '');
  if (!loaded.ok) {
    app.replaceChildren(h('main', { class: 'nothing' }, h('h1', null, 'Linkwork'), h('p', null, loaded.message)));
    return;
  }
  const { page } = loaded;
  document.title = `${page.title} · Linkwork`;

  const player = new Player(page.time);
  const selection = new Selection();
  const scene = makeScene(page, selection, theme);
  const tabs: Tab[] = [new PlotsTab(page, player, selection, theme), new LoadsTab(page, player, selection)];
  const learn = LearnTab.make(page, player, selection);
  if (learn) tabs.push(learn);
  if (page.equations) tabs.push(new EquationsTab(page.equations));
  tabs.push(new ModelTab(page, selection), new DataTab(page, scene));
  const controls = scene && makeSceneControls(page, scene, selection);
  const drawing = h('section', { class: 'scene', 'aria-label': 'Mechanism' },
    ...(scene && controls ? [scene.element, controls.element] : [h('p', { class: 'empty' }, 'Mechanisms in space are not drawn yet.')]));
  const side = new Tabs(tabs);
  app.replaceChildren();
  append(app, [makeHeader(page, theme), makeNotices(page), h('main', null, drawing, side.element), makeTimeBar(player)]);

  listenToPrinting(side, theme, player);
  listenToKeys(player, scene, selection, theme, (option) => controls?.flip(option));
  if (scene) player.listen(() => scene.show(player.time));
  window.linkwork = {
    ready: true,
    seek: (t) => { player.pause(); player.seek(t); },
    time: () => player.time,
    playing: () => player.playing,
    pose: (body) => scene?.pose(body) ?? null,
    screen: (x, y) => scene?.screen(x, y) ?? null,
    select: (kind, name) => {
      const index = partsOf(page, kind).findIndex((p) => p.name === name);
      selection.set(index < 0 ? null : ({ kind, index } satisfies PartRef));
    },
  };
  if (!matchMedia('(prefers-reduced-motion: reduce)').matches) player.play();
}

start();
