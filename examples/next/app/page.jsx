'use client';
import { useState } from 'react';
import { RULES } from '../rules.js';

/** Ask the rules in the browser; the package is loaded when it is first used. */
async function ask(goal) {
  const { openBook } = await import('hornbook');
  const book = await openBook();
  try {
    await book.import('rules.pl', RULES);
    return await book.query(goal).all();
  } finally {
    await book.close();
  }
}

export default function Page() {
  const [goal, setGoal] = useState('may(Who, write)');
  const [answers, setAnswers] = useState();
  const submit = async (event) => {
    event.preventDefault();
    setAnswers(await ask(goal).catch((error) => [error.message]));
  };
  return (
    <form onSubmit={submit}>
      <link rel="icon" href="data:," />
      <input aria-label="A goal" value={goal} onChange={(event) => setGoal(event.target.value)} />
      <button type="submit">Ask</button>
      <output>{answers && JSON.stringify(answers)}</output>
    </form>
  );
}
