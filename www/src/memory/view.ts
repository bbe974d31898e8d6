/** One view of the memory. */
export interface View {
  readonly element: HTMLElement;
  /** Whether it can show past states. */
  readonly hasTime: boolean;
  /** Called while it is shown, when the memory or the time changes. */
  draw(): void;
}
