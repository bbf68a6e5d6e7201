// Switches, views and the list of parts, laid over the upper edge of the drawing.
import type { Page } from '../data';
import { h, icon } from '../dom';
import type { PartKind, Selection } from '../selection';
import { kPartTitles, partsOf } from '../selection';
import type { SceneOptions, ViewAxis } from './scene';
import type { SceneStack } from './stack';

const kOptions: readonly (readonly [keyof SceneOptions, string, string])[] = [
  ['labels', 'Labels', 'L'], ['reactions', 'Reactions', 'R'], ['velocities', 'Velocities', 'V'], ['centres', 'Mass centres', 'M'], ['frames', 'Frames', 'F'], ['instants', 'Instant centres', 'I'], ['traces', 'Traces', ''],
];
const kViews: readonly (readonly [ViewAxis, string, string])[] = [
  ['x', 'x', 'Look along the x axis'], ['y', 'y', 'Look along the y axis'], ['z', 'z', 'Look along the z axis'], ['corner', '3D', 'Look from a corner'],
];

export interface SceneControls {
  readonly element: HTMLElement;
  flip(option: keyof SceneOptions): void;
  viewInSpace(yes: boolean): void;
}

export function makeSceneControls(page: Page, scene: SceneStack, selection: Selection): SceneControls {
  const buttons = new Map<keyof SceneOptions, HTMLButtonElement>();
  const flip = (option: keyof SceneOptions): void => {
    if (!scene.offers.has(option)) return;
    scene.options[option] = !scene.options[option];
    update();
    scene.refresh();
  };
  const toggles = kOptions.map(([option, text, key]) => {
    const button = h('button', { class: 'toggle', title: key ? `${text} (${key})` : text, onclick: () => flip(option) }, text);
    buttons.set(option, button);
    return button;
  });
  const views = h('div', { class: 'views', role: 'group', 'aria-label': 'Direction of view' }, ...kViews.map(([axis, text, title]) =>
    h('button', { title: `${title} (${axis === 'corner' ? 'C' : axis.toUpperCase()})`, 'aria-label': title, onclick: () => scene.lookAlong(axis) }, text)));
  const space = h('button', { class: 'toggle in-space', title: 'View in space', onclick: () => viewInSpace(!scene.spatial) }, 'View in space');
  const notice = h('p', { class: 'scene-notice', role: 'status', hidden: true }, 'This browser has no WebGL: a simpler drawing stands in. Everything else works.');
  const update = (): void => {
    for (const [option, button] of buttons) {
      button.hidden = !scene.offers.has(option);
      button.setAttribute('aria-pressed', String(scene.options[option]));
    }
    space.hidden = !scene.switchable;
    space.setAttribute('aria-pressed', String(scene.spatial));
    views.hidden = !scene.spatial;
    notice.hidden = !scene.spatial || scene.webgl;
  };
  const viewInSpace = (yes: boolean): void => {
    scene.view(yes);
    update();
  };
  update();
  const element = h('div', { class: 'scene-controls' }, partList(page, selection), h('span', { class: 'gap' }),
    h('div', { class: 'toggles', role: 'group', 'aria-label': 'Show in the drawing' }, ...toggles, space, views,
      h('button', { class: 'fit', title: 'Frame the whole motion (0)', 'aria-label': 'Frame the whole motion', onclick: () => scene.resetView() }, icon('M2 5.5V2h3.5M10.5 2H14v3.5M14 10.5V14h-3.5M5.5 14H2v-3.5'))),
    notice);
  return { element, flip, viewInSpace };
}

function partList(page: Page, selection: Selection): HTMLElement {
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
  return parts;
}
