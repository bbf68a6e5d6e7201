// Turns what mouse, pen and fingers do on the drawing in space into turning, panning, zooming, hover and clicks.
import type { Point } from '../../data';
import type { PointerActions } from '../pointer';
import type { Orbit } from './orbit';

const kClickSlop_px = 5;
const kTurn = 0.0085;  // radians for a pixel

export function listenToSpacePointer(target: HTMLElement, orbit: Orbit, actions: PointerActions): void {
  const pointers = new Map<number, Point>();
  let travelled = 0, panning = false;
  const local = (e: { clientX: number; clientY: number }): Point => {
    const box = target.getBoundingClientRect();
    return [e.clientX - box.left, e.clientY - box.top];
  };
  target.style.touchAction = 'none';
  target.addEventListener('contextmenu', (e) => e.preventDefault());
  target.addEventListener('pointerdown', (e) => {
    target.setPointerCapture(e.pointerId);
    pointers.set(e.pointerId, local(e));
    if (pointers.size === 1) travelled = 0;
    panning = e.button !== 0 || e.shiftKey;
    actions.hover(null);
  });
  target.addEventListener('pointermove', (e) => {
    const now = local(e), before = pointers.get(e.pointerId);
    if (!before) {
      if (e.pointerType === 'mouse') actions.hover(now);
      return;
    }
    const other = [...pointers].find(([id]) => id !== e.pointerId)?.[1];
    pointers.set(e.pointerId, now);
    const dx = now[0] - before[0], dy = now[1] - before[1];
    travelled += Math.hypot(dx, dy);
    if (other) {
      const ratio = Math.hypot(now[0] - other[0], now[1] - other[1]) / Math.max(1, Math.hypot(before[0] - other[0], before[1] - other[1]));
      orbit.zoomAt((now[0] + other[0]) / 2, (now[1] + other[1]) / 2, ratio);
      orbit.panBy(dx / 2, dy / 2);
    } else if (travelled <= kClickSlop_px) return;
    else if (panning) orbit.panBy(dx, dy);
    else orbit.turnBy(-dx * kTurn, dy * kTurn);
    target.classList.add('dragging');
    actions.moved();
  });
  const release = (e: PointerEvent): void => {
    const wasDown = pointers.delete(e.pointerId);
    target.classList.remove('dragging');
    if (wasDown && e.type === 'pointerup' && pointers.size === 0 && travelled <= kClickSlop_px && e.button === 0) actions.click(local(e));
  };
  target.addEventListener('pointerup', release);
  target.addEventListener('pointercancel', release);
  target.addEventListener('pointerleave', () => actions.hover(null));
  target.addEventListener('dblclick', (e) => actions.doubleClick(local(e)));
  target.addEventListener('wheel', (e) => {
    e.preventDefault();
    const lines = e.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    orbit.zoomAt(...local(e), Math.exp(-Math.max(-240, Math.min(240, e.deltaY * lines)) * (e.ctrlKey ? 0.008 : 0.0016)));
    actions.moved();
  }, { passive: false });
}
