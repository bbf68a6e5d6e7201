// Puts the page together: reads the data, makes the parts and ties them to one clock and one selection.
import './style.css';
import { readPage } from './data';
import { append, h } from './dom';
import { followFragment } from './fragment';
import { makeHeader, makeNotices } from './header';
import { ModesStage, extremesOf } from './modes_stage';
import { Player } from './player';
import { listenToPrinting } from './print';
import { makeSceneControls } from './scene/controls';
import type { NameBox } from './scene/name_places';
import type { ArrowBox, SceneOptions, SceneReport } from './scene/scene';
import { SceneStack } from './scene/stack';
import type { PartKind, PartRef } from './selection';
import { Selection, partsOf } from './selection';
import { ComparisonTab } from './tabs/comparison';
import { DataTab } from './tabs/data';
import { EquationsTab } from './tabs/equations';
import { LearnTab } from './tabs/learn';
import { LinksTab } from './tabs/links';
import { LoadsTab } from './tabs/loads';
import { ModelTab } from './tabs/model';
import { ModesTab } from './tabs/modes';
import { PlotsTab } from './tabs/plots';
import { SteadyTab, steadyMoments } from './tabs/steady';
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
  /** Origin and angle of a body in ground axes, as drawn; in space origin and quaternion of the object in the picture. */
  pose(body: string): number[] | null;
  /** Where a point of the ground axes is drawn, in pixels of the window. */
  screen(x: number, y: number, z?: number): [number, number] | null;
  /** A planar mechanism in space (true) or in the plane. */
  viewInSpace(yes: boolean): void;
  /** The names in the drawing, as they stand. */
  names(): readonly NameBox[];
  /** In the plane: the arrows of reactions and velocities in the picture. */
  arrows(): readonly ArrowBox[];
  /** In space: what is in the picture, and the milliseconds of script it took. */
  report(): SceneReport | null;
  select(kind: PartKind, name: string): void;
}
declare global {
  interface Window { linkwork: LinkworkHandle }
}

function listenToKeys(player: Player, scene: SceneStack, selection: Selection, theme: ThemeControl, flip: (option: keyof SceneOptions) => void): void {
  document.addEventListener('keydown', (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || e.defaultPrevented || document.querySelector('dialog.picker[open]')) return;
    const target = e.target instanceof HTMLElement ? e.target : document.body;
    const slider = target instanceof HTMLInputElement && target.type === 'range';
    if (!slider && target.matches('input, select, textarea')) return;
    if (e.key === ' ' && target.matches('button, summary, a')) return;
    const actions: Record<string, () => void> = {
      ' ': () => player.toggle(),
      ArrowLeft: () => player.step(e.shiftKey ? -10 : -1),
      ArrowRight: () => player.step(e.shiftKey ? 10 : 1),
      Home: () => player.seek(player.start),
      End: () => { player.pause(); player.seek(player.end); },
      Escape: () => selection.set(null),
      t: () => theme.toggle(), l: () => flip('labels'), r: () => flip('reactions'), m: () => flip('centres'), v: () => flip('velocities'), f: () => flip('frames'), i: () => flip('instants'),
      '+': () => scene.zoomBy(1.25), '=': () => scene.zoomBy(1.25), '-': () => scene.zoomBy(0.8), '0': () => scene.resetView(),
      x: () => scene.lookAlong('x'), y: () => scene.lookAlong('y'), z: () => scene.lookAlong('z'), c: () => scene.lookAlong('corner'),
      a: () => scene.turnBy(-0.12, 0), d: () => scene.turnBy(0.12, 0), w: () => scene.turnBy(0, 0.12), s: () => scene.turnBy(0, -0.12),
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
  const { modes, steady } = page;
  const stage = modes ? new ModesStage(page, modes.list.flatMap((m) => extremesOf(m, modes.reach))) : steady?.stops.length ? new ModesStage(page, steadyMoments(steady)) : null;
  const shown = stage?.page ?? page;
  const scene = new SceneStack(shown, selection, theme);
  const tabs: Tab[] = [];
  if (page.comparison) tabs.push(new ComparisonTab(page, page.comparison, player, selection, theme));
  if (modes && stage) tabs.push(new ModesTab(modes, stage, scene));
  if (steady) tabs.push(new SteadyTab(steady, modes ? null : stage, scene));
  if (!page.still) tabs.push(new PlotsTab(page, player, selection, theme), new LoadsTab(page, player, selection));
  if (page.links.length && !page.still) tabs.push(new LinksTab(page, player));
  const learn = page.still ? null : LearnTab.make(page, player, selection);
  if (learn) tabs.push(learn);
  if (page.equations) tabs.push(new EquationsTab(page.equations, page.start === 'equations'));
  tabs.push(new ModelTab(page, selection), new DataTab(page, scene));
  const controls = makeSceneControls(shown, scene, selection);
  const drawing = h('section', { class: 'scene', 'aria-label': 'Mechanism' }, scene.element, controls.element);
  app.replaceChildren();
  const side = new Tabs(tabs);
  append(app, [makeHeader(page, theme), makeNotices(page), h('main', null, drawing, side.element), page.still ? null : makeTimeBar(player)]);
  if (page.start) side.show(page.start);

  listenToPrinting(side, theme, player, scene);
  listenToKeys(player, scene, selection, theme, (option) => controls.flip(option));
  if (!stage) player.listen(() => scene.show(player.time));
  window.linkwork = {
    ready: true,
    seek: (t) => { player.pause(); player.seek(t); },
    time: () => player.time,
    playing: () => player.playing,
    pose: (body) => scene.pose(body),
    screen: (x, y, z) => scene.screen(x, y, z),
    viewInSpace: (yes) => controls.viewInSpace(yes),
    names: () => scene.names(),
    arrows: () => scene.arrows(),
    report: () => scene.report(),
    select: (kind, name) => {
      const index = partsOf(page, kind).findIndex((p) => p.name === name);
      selection.set(index < 0 ? null : ({ kind, index } satisfies PartRef));
    },
  };
  if (!followFragment(player) && !matchMedia('(prefers-reduced-motion: reduce)').matches) player.play();
}

start();
