// How much of what a question needs is recalled: `node tests/bench/recall.mjs [FILE] [OPTION …]`. FILE is a LoCoMo file:
// each turn of a dialogue is saved as an experience, and each question is a topic for `recall`; the score counts the
// turns named in its evidence. Questions of category 5, which have no answer, are left out. Without FILE, the questions
// are those of paraphrases.json, which share no word with their answers. The options are for the server, as
// `--embed FILE`.
import { readFileSync } from 'node:fs';
import { Server } from '../node/harness.mjs';

const DEPTHS = [5, 10];
const [file, ...options] = /^--|^$/.test(process.argv[2] ?? '')
  ? ['', ...process.argv.slice(2)]
  : process.argv.slice(2);
const sums = {
  questions: 0,
  any: DEPTHS.map(() => 0),
  recall: DEPTHS.map(() => 0),
  ms: 0,
  saved: 0,
  saving: 0,
  silent: 0,
};

for (const { name, texts, questions, unanswered = [] } of file ? dialogues(file) : [paraphrases()]) {
  const server = await Server.start({ args: ['--tools', 'memory', ...options] });
  const known = new Map();
  const begun = performance.now();
  for (const { id, content } of texts) {
    const saved = (await server.ok('kn_experience', { action: 'save', type: 'pattern', content })).data.id;
    known.set(saved, [...(known.get(saved) ?? []), id]);
  }
  sums.saving += performance.now() - begun;
  sums.saved += texts.length;
  for (const { topic, wanted } of questions) {
    const begun = performance.now();
    const limit = DEPTHS.at(-1);
    const { data } = await server.ok('kn_intel', { action: 'recall', topic, limit, budget: 20_000 });
    sums.ms += performance.now() - begun;
    sums.questions += 1;
    for (const [at, depth] of DEPTHS.entries()) {
      const shown = data.results.slice(0, depth).flatMap(({ id }) => known.get(id));
      const found = shown.filter((id) => wanted.has(id)).length;
      sums.recall[at] += found / wanted.size;
      sums.any[at] += found > 0 ? 1 : 0;
    }
  }
  for (const topic of unanswered) {
    const { data } = await server.ok('kn_intel', { action: 'recall', topic });
    sums.silent += data.results.length === 0 ? 1 : 0;
  }
  await server.close();
  console.error(`recall: ${name}, ${texts.length} texts`);
}

const { questions, saved } = sums;
for (const [at, depth] of DEPTHS.entries()) {
  console.log(`recall@${depth} ${(sums.recall[at] / questions).toFixed(3)}`);
  console.log(`any@${depth} ${sums.any[at]} of ${questions}`);
}
if (!file) console.log(`nothing for ${sums.silent} of the questions that no fact answers`);
console.log(`${(sums.saving / saved).toFixed(1)} ms to save each, ${(sums.ms / questions).toFixed(1)} ms to recall`);

/** The dialogues of a LoCoMo file, with their turns in order. */
function dialogues(path) {
  return JSON.parse(readFileSync(path, 'utf8')).map(({ sample_id: name, qa, conversation }) => ({
    name,
    texts: turnsOf(conversation).map(({ dia_id: id, speaker, text, blip_caption: caption }) => ({
      id,
      content: `${speaker}: ${text}${caption ? ` (${caption})` : ''}`,
    })),
    questions: qa
      .filter(({ evidence, category }) => category !== 5 && evidence.length > 0)
      .map(({ question, evidence }) => ({ topic: question, wanted: new Set(evidence) })),
  }));
}

function turnsOf(conversation) {
  const sessions = Object.entries(conversation).filter(
    ([key, turns]) => /^session_\d+$/.test(key) && Array.isArray(turns),
  );
  const number = ([key]) => Number(key.slice('session_'.length));
  return sessions.sort((one, other) => number(one) - number(other)).flatMap(([, turns]) => turns);
}

/** Facts with a question each in other words, among facts on other things. */
function paraphrases() {
  const { pairs, others, unanswered } = JSON.parse(
    readFileSync(new URL('./paraphrases.json', import.meta.url), 'utf8'),
  );
  const facts = pairs.map(([fact]) => fact);
  return {
    name: 'paraphrases',
    texts: [...facts, ...others].map((content) => ({ id: content, content })),
    questions: pairs.map(([fact, topic]) => ({ topic, wanted: new Set([fact]) })),
    unanswered,
  };
}
