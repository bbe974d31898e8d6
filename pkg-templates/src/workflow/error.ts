/** The errors of runs. */
import type { ResumeErrorKind } from '../generated/workflow.js';

/** A run cannot be resumed: nothing has happened. docs/workflow.md has what to do about each kind. */
export class ResumeError extends Error {
  /** `ResumeError`. */
  override name = 'ResumeError';

  /** @param kind why: what it waits for, the text, or the run itself */
  constructor(
    message: string,
    readonly kind: ResumeErrorKind,
  ) {
    super(message);
  }

  /** What `begin` returns; what it throws that has a kind becomes such an error. */
  static thrownBy<T>(begin: () => T): T {
    try {
      return begin();
    } catch (error) {
      const { message, kind } = error as Partial<ResumeError>;
      throw kind === undefined ? error : new ResumeError(message!, kind);
    }
  }
}

/** Thrown by a run if the text sets `raise_exceptions: true`: `Error in node 'NAME': …`. */
export class WorkflowError extends Error {
  /** `WorkflowError`. */
  override name = 'WorkflowError';

  /**
   * @param node the node that failed
   * @param kind a {@link WorkflowFaultKind}
   */
  constructor(
    message: string,
    readonly node: string,
    readonly kind: string,
  ) {
    super(message);
  }
}
