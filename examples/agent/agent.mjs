// node agent.mjs QUESTION: a model writes facts and rules into a book, and asks it.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, stepCountIs } from 'ai';
import { openBook } from 'hornbook';
import { bookTools } from 'hornbook/ai';

const { MODEL_URL = 'http://127.0.0.1:11434/v1', MODEL = 'qwen3', MODEL_KEY } = process.env;
const provider = createOpenAICompatible({ name: 'provider', baseURL: MODEL_URL, apiKey: MODEL_KEY });

const book = await openBook({ path: 'agent.book' });
try {
  const { text } = await generateText({
    model: provider(MODEL),
    system: 'Write what you are told as Prolog clauses, and answer by querying them, never by guessing.',
    tools: await bookTools(book),
    stopWhen: stepCountIs(20),
    prompt: process.argv[2] ?? 'Tom is the father of Bob, and Bob of Ann. Who are the ancestors of Ann?',
  });
  console.log(text);
} finally {
  await book.close();
}
