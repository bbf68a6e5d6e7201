// The bar along the bottom: play, step, speed, the time slider and the time itself.
import { h, icon } from './dom';
import { allDigits, timeDecimals } from './format';
import type { Player } from './player';
import { speedChoices } from './player';

const kPlay = 'M4.5 2.2v11.6L13.8 8z';
const kPause = 'M3.8 2.5h3v11h-3zM9.2 2.5h3v11h-3z';

export function makeTimeBar(player: Player): HTMLElement {
  const still = !(player.span > 0);
  const { speeds, initial } = speedChoices(player.span);
  player.setSpeed(initial);

  const play = h('button', { class: 'play primary', onclick: () => player.toggle(), disabled: still });
  const back = h('button', { 'aria-label': 'One sample back', title: 'One sample back (←)', onclick: () => player.step(-1), disabled: still }, icon('', 'M3 2.5h2v11H3zM13 2.5v11L5.5 8z'));
  const forward = h('button', { 'aria-label': 'One sample forward', title: 'One sample forward (→)', onclick: () => player.step(1), disabled: still }, icon('', 'M11 2.5h2v11h-2zM3 2.5v11L10.5 8z'));
  const speed = h('select', { 'aria-label': 'Speed', title: 'Speed', disabled: still }, ...speeds.map((s) => h('option', { value: s, selected: s === initial }, `${s}×`)));
  speed.addEventListener('change', () => player.setSpeed(Number(speed.value)));
  const loop = h('button', { class: 'toggle', 'aria-label': 'Repeat', title: 'Repeat', disabled: still, onclick: () => player.setLoop(!player.loop) }, icon('M2.5 7.5V7a3 3 0 0 1 3-3h7M10.5 2l2 2-2 2M13.5 8.5V9a3 3 0 0 1-3 3h-7M5.5 14l-2-2 2-2'));
  const slider = h('input', { type: 'range', class: 'time', 'aria-label': 'Time', min: player.start, max: still ? player.start + 1 : player.end, step: 'any', disabled: still });
  slider.addEventListener('input', () => {
    const wanted = Number(slider.value);  // read first: pausing puts the slider back to the time of the clock
    player.pause();
    player.seek(wanted);
  });
  const value = h('span', { class: 'time-value' });
  const readout = h('output', { class: 'readout', 'aria-live': 'off' }, h('i', null, 't'), ' = ', value, ' s');
  const decimals = timeDecimals(player.span);
  // The readout keeps its width while the numbers run.
  value.style.minWidth = `${Math.max(player.start.toFixed(decimals).length, player.end.toFixed(decimals).length)}ch`;

  let shownPlaying: boolean | null = null;
  player.listen(() => {
    if (shownPlaying !== player.playing) {
      shownPlaying = player.playing;
      play.replaceChildren(icon('', player.playing ? kPause : kPlay));
      play.setAttribute('aria-label', player.playing ? 'Pause' : 'Play');
      play.title = player.playing ? 'Pause (space)' : 'Play (space)';
    }
    loop.setAttribute('aria-pressed', String(player.loop));
    if (Number(slider.value) !== player.time) slider.value = String(player.time);
    slider.style.setProperty('--part', `${still ? 0 : (100 * (player.time - player.start)) / player.span}%`);
    const text = player.time.toFixed(decimals);
    slider.setAttribute('aria-valuetext', `${text} s`);
    value.textContent = text.replace('-', '−');
    readout.title = `t = ${allDigits(player.time)} s`;
  });
  return h('footer', { class: 'timebar', 'aria-label': 'Playback' }, h('div', { class: 'controls' }, play, back, forward, speed, loop), slider, readout);
}
