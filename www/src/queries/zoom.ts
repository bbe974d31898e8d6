/** A picture that can be moved about and looked at from near. */
import { button, h } from '../dom.ts';

/** How much nearer one step is, and how near one can get. */
const STEP = 1.3;
const NEAREST = 12;
/** As near as this many pixels of a wide picture. */
const NARROW = 320;
/** Pixels that a pointer may move in a click. */
const SLACK = 4;

/** `picture` in a frame, `width` by `height` in its own units. */
export function zoomable(picture: SVGSVGElement, width: number, height: number, name: string): HTMLElement {
  const nearest = Math.max(NEAREST, width / NARROW);
  let [x, y, scale] = [0, 0, 1];
  const draw = () => {
    x = Math.min(Math.max(x, 0), width - width / scale);
    y = Math.min(Math.max(y, 0), height - height / scale);
    picture.setAttribute('viewBox', `${x} ${y} ${width / scale} ${height / scale}`);
  };
  /** Nearer by `factor`; what is at `cx`, `cy`, parts of the frame from 0 to 1, stays where it is. */
  const zoom = (factor: number, cx = 0.5, cy = 0.5) => {
    const to = Math.min(nearest, Math.max(1, scale * factor));
    x += (cx * width) / scale - (cx * width) / to;
    y += (cy * height) / scale - (cy * height) / to;
    scale = to;
    draw();
  };
  const move = (dx: number, dy: number) => {
    x += (dx * width) / scale;
    y += (dy * height) / scale;
    draw();
  };
  const frame = h('div', {
    class: 'zoomable',
    tabindex: 0,
    role: 'group',
    'aria-label': `${name}: the arrows move it, + and − zoom`,
  });
  frame.append(picture);
  frame.addEventListener(
    'wheel',
    (event) => {
      // Without it the wheel scrolls the page, as everywhere.
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const box = frame.getBoundingClientRect();
      zoom(
        event.deltaY < 0 ? STEP : 1 / STEP,
        (event.clientX - box.left) / box.width,
        (event.clientY - box.top) / box.height,
      );
    },
    { passive: false },
  );
  frame.addEventListener('keydown', (event) => {
    const does = {
      '+': () => zoom(STEP),
      '=': () => zoom(STEP),
      '-': () => zoom(1 / STEP),
      0: () => zoom(0),
      ArrowLeft: () => move(-0.1, 0),
      ArrowRight: () => move(0.1, 0),
      ArrowUp: () => move(0, -0.1),
      ArrowDown: () => move(0, 0.1),
    }[event.key];
    if (!does || event.ctrlKey || event.metaKey || event.altKey) return;
    // Where all of it is drawn, arrows scroll as everywhere.
    if (scale === 1 && event.key.startsWith('Arrow')) return;
    event.preventDefault();
    does();
  });
  frame.addEventListener('pointerdown', (event) => {
    if (scale === 1 || event.button !== 0) return;
    let [atX, atY] = [event.clientX, event.clientY];
    const box = frame.getBoundingClientRect();
    const drag = (moved: PointerEvent) => {
      // What is in the picture can be clicked as long as it is not moved.
      if (!frame.hasPointerCapture(moved.pointerId)) {
        if (Math.hypot(moved.clientX - atX, moved.clientY - atY) < SLACK) return;
        frame.setPointerCapture(moved.pointerId);
      }
      move((atX - moved.clientX) / box.width, (atY - moved.clientY) / box.height);
      [atX, atY] = [moved.clientX, moved.clientY];
    };
    frame.addEventListener('pointermove', drag);
    for (const end of ['pointerup', 'pointercancel'])
      window.addEventListener(end, () => frame.removeEventListener('pointermove', drag), { once: true });
  });
  draw();
  picture.style.maxWidth = `${width}px`;
  const control = (label: string, name: string, does: () => void) =>
    h('button', { type: 'button', 'aria-label': name, title: name, onclick: does }, label);
  const all = h('div', { class: 'zoom-frame' });
  const fill = () => void (document.fullscreenElement ? document.exitFullscreen() : all.requestFullscreen());
  all.append(
    frame,
    h(
      'div',
      { class: 'zoom-buttons' },
      control('+', 'Zoom in', () => zoom(STEP)),
      control('−', 'Zoom out', () => zoom(1 / STEP)),
      control('⤢', 'Reset zoom', () => zoom(0)),
      document.fullscreenEnabled ? button('', fill, { icon: 'full', title: 'Full screen' }) : '',
    ),
  );
  return all;
}
