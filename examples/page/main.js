// A book in the browser: clauses that people type are kept in IndexedDB, and asked in a worker.
import { openBook } from 'hornbook';

const message = document.getElementById('message');
const answers = document.getElementById('answers');
const book = await openBook({ path: 'roles' });
message.textContent = 'Ready.';

/** Run `work` with the value of the form's field when it is submitted, and show what goes wrong. */
function onSubmit(id, work) {
  document.getElementById(id).addEventListener('submit', async (event) => {
    event.preventDefault();
    const [text] = new FormData(event.target).values();
    try {
      message.textContent = await work(text);
    } catch (error) {
      message.textContent = error.message;
    }
  });
}

onSubmit('add', async (clause) => {
  await book.assert(clause);
  return `Added: ${clause}`;
});

onSubmit('ask', async (goal) => {
  answers.replaceChildren();
  for await (const answer of book.query(goal)) {
    const item = document.createElement('li');
    item.textContent = JSON.stringify(answer);
    answers.append(item);
    if (answers.childElementCount === 100) return 'The first 100 answers.';
  }
  return answers.childElementCount === 0 ? 'No.' : 'All answers.';
});
