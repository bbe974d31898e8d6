/** Lets the page work without a network after the first visit. */

export function keepOffline(): void {
  if (!('serviceWorker' in navigator) || import.meta.env.DEV) return;
  void navigator.serviceWorker.register('./service-worker.js').catch(() => {
    // Without it the page works as long as there is a network.
  });
}
