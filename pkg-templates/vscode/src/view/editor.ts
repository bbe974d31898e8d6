/** The editor around this page. */
import type { FromView, ToView } from './messages.ts';

declare function acquireVsCodeApi(): { postMessage(message: FromView): void; setState(state: unknown): void };

const api = acquireVsCodeApi();
// Lets the page be reopened with the window; what it shows comes from the editor.
api.setState({});

export const say = (message: FromView): void => api.postMessage(message);

export function hear(listener: (message: ToView) => void): void {
  window.addEventListener('message', ({ data }: MessageEvent<ToView>) => listener(data));
}
