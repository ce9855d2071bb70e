// SPDX-License-Identifier: MIT
//
// A labelling server for the tests: `evenhand annotate` on a free port of 127.0.0.1.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const running = new Set();
process.on('exit', () => { for (const p of running) p.kill('SIGKILL'); });

export class Desk {
  constructor(evenhand, ledger, options) {
    Object.assign(this, { evenhand, ledger, options, port: 0, links: {} });
  }

  // Starts it, on the port of before where there was one; links that were given out stay.
  async start(...more) {
    this.process = spawn(
      this.evenhand,
      ['annotate', this.ledger, '--port', String(this.port), ...this.options, ...more],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    const { process: child } = this;
    running.add(child);
    this.ended = new Promise((done) => child.once('exit', () => {
      running.delete(child);
      done();
    }));
    let complaint = '';
    this.process.stderr.on('data', (d) => { complaint += d; });
    for await (const line of createInterface({ input: this.process.stdout })) {
      const found = /^ {2}(\S+) +(http\S+?:(\d+))(\/join\/\S+)/.exec(line);
      if (found) {
        this.links[found[1]] = found[2] + found[4];
        this.port = Number(found[3]);
      }
      if (line.startsWith('Ctrl-C')) return this;
    }
    throw new Error(`annotate did not start: ${complaint}`);
  }

  async kill() {
    this.process.kill('SIGKILL');
    await this.ended;
  }

  async stop() {
    if (this.process.exitCode == null) this.process.kill('SIGTERM');
    await this.ended;
  }

  get origin() {
    return `http://127.0.0.1:${this.port}`;
  }

  // As the owner: {status, body}.
  async owner(path, body) {
    if (!this.cookie) {
      const joined = await fetch(this.links.owner, { redirect: 'manual' });
      this.cookie = joined.headers.get('set-cookie').split(';')[0];
    }
    const answer = await fetch(this.origin + path, {
      method: body ? 'POST' : 'GET',
      headers: { Cookie: this.cookie, Origin: this.origin, 'Content-Type': 'application/json' },
      body: body ? JSON.stringify(body) : undefined,
    });
    return answer.json();
  }
}
