// Turns what mouse, pen and fingers do on the canvas into zoom, pan, hover and clicks.
import type { Point } from '../data';
import type { Camera } from './camera';

const kClickSlop_px = 5;

export interface PointerActions {
  /** The pointer rests at a point, or nowhere. */
  hover(p: Point | null): void;
  click(p: Point): void;
  doubleClick(p: Point): void;
  /** The camera has moved. */
  moved(): void;
}

export function listenToPointer(canvas: HTMLCanvasElement, camera: Camera, actions: PointerActions): void {
  const pointers = new Map<number, Point>();
  let travelled = 0;
  const local = (e: { clientX: number; clientY: number }): Point => {
    const box = canvas.getBoundingClientRect();
    return [e.clientX - box.left, e.clientY - box.top];
  };
  canvas.style.touchAction = 'pan-y';
  canvas.addEventListener('pointerdown', (e) => {
    canvas.setPointerCapture(e.pointerId);
    pointers.set(e.pointerId, local(e));
    if (pointers.size === 1) travelled = 0;
    actions.hover(null);
  });
  canvas.addEventListener('pointermove', (e) => {
    const now = local(e), before = pointers.get(e.pointerId);
    if (!before) {
      if (e.pointerType === 'mouse') actions.hover(now);
      return;
    }
    const others = [...pointers].filter(([id]) => id !== e.pointerId).map(([, p]) => p);
    pointers.set(e.pointerId, now);
    travelled += Math.hypot(now[0] - before[0], now[1] - before[1]);
    if (others.length) {
      const [o] = others;
      const ratio = Math.hypot(now[0] - o[0], now[1] - o[1]) / Math.max(1, Math.hypot(before[0] - o[0], before[1] - o[1]));
      camera.zoomAt((now[0] + o[0]) / 2, (now[1] + o[1]) / 2, ratio);
      camera.panBy((now[0] - before[0]) / 2, (now[1] - before[1]) / 2);
    } else if (travelled > kClickSlop_px) {
      camera.panBy(now[0] - before[0], now[1] - before[1]);
      canvas.classList.add('dragging');
    } else return;
    canvas.style.touchAction = 'none';
    actions.moved();
  });
  const release = (e: PointerEvent): void => {
    const wasDown = pointers.delete(e.pointerId);
    canvas.classList.remove('dragging');
    if (wasDown && e.type === 'pointerup' && pointers.size === 0 && travelled <= kClickSlop_px) actions.click(local(e));
  };
  canvas.addEventListener('pointerup', release);
  canvas.addEventListener('pointercancel', release);
  canvas.addEventListener('pointerleave', () => actions.hover(null));
  canvas.addEventListener('dblclick', (e) => {
    actions.doubleClick(local(e));
  });
  canvas.addEventListener('wheel', (e) => {
    e.preventDefault();
    const lines = e.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    camera.zoomAt(...local(e), Math.exp(-Math.max(-240, Math.min(240, e.deltaY * lines)) * (e.ctrlKey ? 0.008 : 0.0016)));
    canvas.style.touchAction = 'none';
    actions.moved();
  }, { passive: false });
}
