// GET /ask?who=ada answers what ada may do, on the server.
import { openBook, prolog } from 'hornbook';
import { RULES } from '../../rules.js';

export const dynamic = 'force-dynamic';

// One book for all requests.
const opened = openBook().then(async (book) => {
  await book.import('rules.pl', RULES);
  return book;
});

export async function GET(request) {
  const who = new URL(request.url).searchParams.get('who') ?? '';
  const book = await opened;
  const answers = await book.all(prolog`atom_string(Who, ${who}), may(Who, What)`);
  return Response.json(answers.map(({ What }) => What));
}
