/** The error of a run. */
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
