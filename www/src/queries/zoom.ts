/** A picture that can be moved about and looked at from near. */
import { button, h } from '../dom.ts';

/** How much nearer one step is, and how near one can get. */
const STEP = 1.3;
const NEAREST = 12;
/** As near as this many pixels of a wide picture. */
const NARROW = 320;
/** Pixels that a pointer may move in a click. */
const SLACK = 4;

/** How a picture is looked at. */
interface Look {
  /** Nearer by `factor`; what is at `cx`, `cy`, parts of the frame from 0 to 1, stays where it is. */
  zoom(factor: number, cx?: number, cy?: number): void;
  /** By parts of the frame. */
  move(dx: number, dy: number): void;
  /** From 1, where all of it is seen, or its width, where it grows. */
  readonly scale: number;
}

/** `picture` in a frame that stays as large as it is, `width` by `height` in its own units. */
export function zoomable(picture: SVGSVGElement, width: number, height: number, name: string): HTMLElement {
  const nearest = nearestOf(width);
  let [x, y, scale] = [0, 0, 1];
  const draw = () => {
    // What is looked at from near has the whole width of the frame, however narrow the picture is.
    const isNear = scale > 1;
    if (isNear && picture.style.height === '') picture.style.height = `${picture.getBoundingClientRect().height}px`;
    if (!isNear) picture.style.height = '';
    picture.style.maxWidth = isNear ? 'none' : `${width}px`;
    picture.setAttribute('preserveAspectRatio', isNear ? 'xMinYMin' : 'xMidYMid');
    x = Math.min(Math.max(x, 0), width - width / scale);
    y = Math.min(Math.max(y, 0), height - height / scale);
    picture.setAttribute('viewBox', `${x} ${y} ${width / scale} ${height / scale}`);
  };
  /** What the frame shows, in the units of the picture. */
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
 * `picture`, `width` by `height`, in a frame where it is scrolled: at first at its own size, or as wide as the frame where that
 * is narrower.
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

/** The frame with its buttons, and what the wheel, keys and the pointer do. */
function controlled(frame: HTMLElement, look: Look): HTMLElement {
  const { zoom, move } = look;
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
    if (look.scale === 1 && event.key.startsWith('Arrow')) return;
    event.preventDefault();
    does();
  });
  frame.addEventListener('pointerdown', (event) => {
    if (look.scale === 1 || event.button !== 0) return;
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
