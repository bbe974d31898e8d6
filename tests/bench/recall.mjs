// How much of what a question needs is recalled: `node tests/bench/recall.mjs FILE`, where FILE is a LoCoMo file. Each
// turn of a dialogue is saved as an experience, and each question is a topic for `recall`; the score counts the turns
// named in its evidence. Questions of category 5, which have no answer, are left out.
import { readFileSync } from 'node:fs';
import { Server } from '../node/harness.mjs';

const DEPTHS = [5, 10];
const dialogues = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const sums = { questions: 0, any: 0, recall: DEPTHS.map(() => 0), recalled: 0, ms: 0 };

for (const { sample_id: name, qa, conversation } of dialogues) {
  const server = await Server.start({ args: ['--tools', 'memory'] });
  const turns = new Map();
  for (const { dia_id: id, speaker, text, blip_caption: caption } of turnsOf(conversation)) {
    const content = `${speaker}: ${text}${caption ? ` (${caption})` : ''}`;
    const saved = (await server.ok('kn_experience', { action: 'save', type: 'pattern', content })).data.id;
    turns.set(saved, [...(turns.get(saved) ?? []), id]);
  }
  for (const { question, evidence, category } of qa) {
    const wanted = new Set(evidence);
    if (category === 5 || wanted.size === 0) continue;
    const begun = performance.now();
    const limit = DEPTHS.at(-1);
    const { results } = (await server.ok('kn_intel', { action: 'recall', topic: question, limit, budget: 20_000 }))
      .data;
    sums.ms += performance.now() - begun;
    const found = (depth) =>
      results
        .slice(0, depth)
        .flatMap(({ id }) => turns.get(id))
        .filter((id) => wanted.has(id)).length;
    sums.questions += 1;
    for (const [at, depth] of DEPTHS.entries()) sums.recall[at] += found(depth) / wanted.size;
    sums.any += found(limit) > 0 ? 1 : 0;
  }
  await server.close();
  console.error(`recall: ${name}, ${turns.size} turns`);
}

const share = (sum) => (sum / sums.questions).toFixed(3);
for (const [at, depth] of DEPTHS.entries()) console.log(`recall@${depth} ${share(sums.recall[at])}`);
console.log(`any@${DEPTHS.at(-1)} ${share(sums.any)}`);
console.log(`${sums.questions} questions, ${(sums.ms / sums.questions).toFixed(1)} ms each`);

/** The turns of all sessions, in order. */
function turnsOf(conversation) {
  const sessions = Object.entries(conversation).filter(
    ([key, turns]) => /^session_\d+$/.test(key) && Array.isArray(turns),
  );
  const number = ([key]) => Number(key.slice('session_'.length));
  return sessions.sort((one, other) => number(one) - number(other)).flatMap(([, turns]) => turns);
}
