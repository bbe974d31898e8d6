/** Messages about a change of the book, with a button that takes it back as long as nothing else changed the book. */
import { sentence, tell } from './dom.ts';
import type { Session } from './session.ts';

/** Tell what the last `steps` operations did. */
export async function tellUndoable(session: Session, text: string, steps = 1): Promise<void> {
  const revision = await lastRevision(session);
  const undo = async () => {
    try {
      if ((await lastRevision(session)) !== revision)
        return tell('The book has changed since then. Undo it in the history.', 'error');
      await session.ok('workspace', { operation: 'undo', steps });
      tell('Undone.');
    } catch (error) {
      tell(sentence(error), 'error');
    }
  };
  const toast = tell(text, 'done', { label: 'Undo', act: () => void undo() });
  const off = session.changed.on(() => {
    if (!toast.isShown()) return off();
    void lastRevision(session).then((now) => {
      if (now !== revision) toast.withdraw();
    });
  });
}

/** How many operations can be undone. */
export const undoable = async (session: Session): Promise<number> =>
  (await session.ok('workspace', { operation: 'history', steps: 1 })).undoable;

export async function lastRevision(session: Session): Promise<number> {
  return (await session.ok('workspace', { operation: 'history', steps: 1 })).revision;
}
