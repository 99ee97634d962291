// Says of every answer of the soak whether it may be: always true, and right unless its server was just hurt.

/** What a call may answer while the server that it needs has not recovered; a change that is in doubt is refused. */
const allowed = new Set([
  ...['server_crashed', 'server_unverified', 'timed_out', 'starting', 'busy', 'stale'],
  'refused',
]);
const mostHurt = 90_000;
/** Milliseconds after a flood in which a call may be told to come again. */
const mostFlooded = 3_000;

/** Keeps which servers were hurt and have not been seen to answer since. */
export class Judge {
  unexpected = [];
  counts = { right: 0, doubtful: 0, excused: 0, recoveries: 0 };
  #hurt = new Map();
  #flooded = Number.NEGATIVE_INFINITY;
  #recovered = new Map();

  hurt(server, fault) {
    this.#hurt.set(server, { fault, at: performance.now() });
  }

  /** More calls were begun at once than a client may have. */
  flooded() {
    this.#flooded = performance.now();
  }

  /** Whether a server was hurt since some moment, or has not been well since before it. */
  #isExcused(server, since) {
    return this.#hurt.has(server) || (this.#recovered.get(server) ?? Number.NEGATIVE_INFINITY) > since;
  }

  /** Takes the answer to a question of one server: `{ total, complete }`, or an error's code. */
  judge(server, question, since, answer) {
    const excused = this.#isExcused(server, since);
    if (answer.error) {
      const isTurnedAway = answer.error === 'busy' && since - this.#flooded < mostFlooded;
      if (isTurnedAway || (excused && allowed.has(answer.error))) this.counts.excused += 1;
      else this.#complain(server, question, answer);
    } else if (answer.complete && answer.total !== question.count) {
      this.#complain(server, question, answer);
    } else if (answer.complete) {
      this.counts.right += 1;
      this.#recover(server, since);
    } else if (excused) this.counts.doubtful += 1;
    else this.#complain(server, question, answer);
    this.#lookForTheLost(server);
  }

  #recover(server, since) {
    const hurt = this.#hurt.get(server);
    if (!hurt || since < hurt.at) return;
    this.#hurt.delete(server);
    this.#recovered.set(server, performance.now());
    this.counts.recoveries += 1;
  }

  #lookForTheLost(server) {
    const hurt = this.#hurt.get(server);
    if (!hurt || performance.now() - hurt.at < mostHurt) return;
    this.#complain(server, { tool: hurt.fault }, { error: 'has not recovered' });
    this.#hurt.delete(server);
  }

  #complain(server, { tool, count }, answer) {
    const minute = (performance.now() / 60_000).toFixed(1);
    this.unexpected.push({ minute, server, tool, count, ...answer });
    console.error('unexpected', this.unexpected.at(-1));
  }
}
