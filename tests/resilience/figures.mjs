// The figures of a run.

export class Figures {
  lives = 0;
  kills = 0;
  /** Operations that were answered; those of them that changed the book; those refused by a fault. */
  operations = 0;
  changes = 0;
  refused = 0;
  /** Changes that were not answered before the server was killed, by whether the book has them. */
  unanswered = { there: 0, 'not there': 0 };
  /** Torn ends that were reported. */
  cut = 0;
  /** Operations on drafts that were answered, by kind. */
  drafts = { proposed: 0, withdrawn: 0, accepted: 0, rejected: 0 };
  #ends = new Map();
  #times = { book: [], answer: [] };

  /** An engine was ended, or came close to it because of a goal. */
  count(ending) {
    this.#ends.set(ending, (this.#ends.get(ending) ?? 0) + 1);
  }

  /** Milliseconds from the start of a server until it returned the book, or the first answer. */
  time(what, ms) {
    this.#times[what].push(ms);
  }

  median(what) {
    return this.#times[what].slice().sort((one, other) => one - other)[this.#times[what].length >> 1];
  }

  brief() {
    return `${this.kills} kills, ${this.operations} operations`;
  }

  told() {
    const time = (what) =>
      `median ${Math.round(this.median(what) ?? 0)} ms, worst ${Math.round(Math.max(0, ...this.#times[what]))} ms`;
    const ends = [...this.#ends].map(([ending, count]) => `${count} by ${ending}`).join(', ');
    return [
      `operations answered: ${this.operations}, of which ${this.changes} changed the book and ${this.refused} were refused with a fault`,
      `drafts: ${Object.entries(this.drafts)
        .map(([kind, count]) => `${count} ${kind}`)
        .join(', ')}`,
      `engines ended or goals stopped: ${ends || 'none'}`,
      `processes killed: ${this.kills}; restarts that were checked: ${this.#times.book.length}, with the engine: ${this.#times.answer.length}; torn ends cut: ${this.cut}`,
      `changes killed before their answer: ${this.unanswered.there} there and whole, ${this.unanswered['not there']} not there`,
      `from the start of a process to the book: ${time('book')}; to the first answer of its engine: ${time('answer')}`,
    ].join('\n');
  }
}
