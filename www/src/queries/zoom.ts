/** A picture that can be panned and zoomed. */
import { button, h } from '../dom.ts';

/** The zoom factor of one step, and the largest zoom. */
const STEP = 1.3;
const NEAREST = 12;
/** A wide picture can be zoomed until this many of its pixels fill the frame. */
const NARROW = 320;
/** How far a pointer may move during a click, in pixels. */
const SLACK = 4;

/** The view of a picture. */
interface Look {
  /** Zoom in by `factor`, keeping the point at `cx`, `cy` (fractions of the frame, from 0 to 1) in place. */
  zoom(factor: number, cx?: number, cy?: number): void;
  /** Pan by fractions of the frame. */
  move(dx: number, dy: number): void;
  /** At 1, all of the picture is visible, or its full width if it grows. */
  readonly scale: number;
}

/** A `picture` in a frame of constant size, `width` by `height` in its own units. */
export function zoomable(picture: SVGSVGElement, width: number, height: number, name: string): HTMLElement {
  const nearest = nearestOf(width);
  let [x, y, scale] = [0, 0, 1];
  const draw = () => {
    // Zoomed in, use the whole width of the frame, however narrow the picture is.
    const isNear = scale > 1;
    if (isNear && picture.style.height === '') picture.style.height = `${picture.getBoundingClientRect().height}px`;
    if (!isNear) picture.style.height = '';
    picture.style.setProperty('--scale', String(scale));
    picture.style.maxWidth = isNear ? 'none' : `${width}px`;
    picture.setAttribute('preserveAspectRatio', isNear ? 'xMinYMin' : 'xMidYMid');
    x = Math.min(Math.max(x, 0), width - width / scale);
    y = Math.min(Math.max(y, 0), height - height / scale);
    picture.setAttribute('viewBox', `${x} ${y} ${width / scale} ${height / scale}`);
  };
  /** The visible part, in the picture's units. */
  const seen = () => {
    const box = picture.getBoundingClientRect();
    const pixels = picture.getScreenCTM()?.a || 1;
    return { across: box.width / pixels, down: box.height / pixels };
  };
  const zoom = (factor: number, cx = 0.5, cy = 0.5) => {
    const to = Math.min(nearest, Math.max(1, scale * factor));
    const { across, down } = seen();
    x += cx * across * (1 - scale / to);
    y += cy * down * (1 - scale / to);
    scale = to;
    draw();
  };
  const move = (dx: number, dy: number) => {
    const { across, down } = seen();
    x += dx * across;
    y += dy * down;
    draw();
  };
  draw();
  const look: Look = {
    zoom,
    move,
    get scale() {
      return scale;
    },
  };
  return controlled(frameOf(picture, name), look);
}

/**
 * A `picture` of `width` by `height` in a frame that scrolls it: at first in its own size, or at the frame's width if
 * that is smaller.
 */
export function grown(picture: SVGSVGElement, width: number, height: number, name: string): HTMLElement {
  const nearest = nearestOf(width);
  const frame = frameOf(picture, name);
  let scale = 1;
  const draw = () => picture.style.setProperty('--zoom', String(scale));
  picture.setAttribute('viewBox', `0 0 ${width} ${height}`);
  picture.style.setProperty('--width', `${width}px`);
  draw();
  const look: Look = {
    zoom(factor, cx = 0.5, cy = 0.5) {
      const to = Math.min(nearest, Math.max(1, scale * factor));
      const [x, y] = [frame.scrollLeft + cx * frame.clientWidth, frame.scrollTop + cy * frame.clientHeight];
      const by = to / scale;
      scale = to;
      draw();
      frame.scrollTo(x * by - cx * frame.clientWidth, y * by - cy * frame.clientHeight);
    },
    move: (dx, dy) => frame.scrollBy(dx * frame.clientWidth, dy * frame.clientHeight),
    get scale() {
      return scale;
    },
  };
  return controlled(frame, look);
}

const nearestOf = (width: number): number => Math.max(NEAREST, width / NARROW);

function frameOf(picture: SVGSVGElement, name: string): HTMLElement {
  const frame = h('div', {
    class: 'zoomable',
    tabindex: 0,
    role: 'group',
    'aria-label': `${name}: the arrows move it, + and − zoom`,
  });
  frame.append(picture);
  return frame;
}

/** The frame with its buttons, and its handling of the wheel, keys and pointer. */
function controlled(frame: HTMLElement, look: Look): HTMLElement {
  const { zoom, move } = look;
  frame.addEventListener(
    'wheel',
    (event) => {
      // Without a modifier, the wheel scrolls the page as usual.
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
    // With the whole picture visible, arrow keys scroll the page as usual.
    if (look.scale === 1 && event.key.startsWith('Arrow')) return;
    event.preventDefault();
    does();
  });
  frame.addEventListener('pointerdown', (event) => {
    if (look.scale === 1 || event.button !== 0) return;
    let [atX, atY] = [event.clientX, event.clientY];
    const box = frame.getBoundingClientRect();
    const drag = (moved: PointerEvent) => {
      // Elements of the picture can be clicked unless the pointer drags.
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
