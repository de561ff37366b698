// SPDX-License-Identifier: Apache-2.0
// The thread that writes the SQLite file, so that no fsync delays a request. All batches of a message are committed
// together; each changes all or nothing, so a batch that fails does not affect the others. Plain JavaScript: worker
// threads start without a TypeScript loader.
import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';

const STATEMENT_LIMIT = 500;

const db = new Database(workerData.path, { timeout: workerData.busyTimeout });
db.pragma('journal_mode = WAL');
db.pragma('synchronous = FULL');
db.pragma(`journal_size_limit = ${workerData.journalLimit}`);
// A checkpoint writes each changed page once, however often it has changed since the one before.
db.pragma(`wal_autocheckpoint = ${Math.floor(workerData.journalLimit / db.pragma('page_size', { simple: true }))}`);

const statements = new Map();
function prepare(sql) {
  let statement = statements.get(sql);
  if (!statement) {
    if (statements.size >= STATEMENT_LIMIT) statements.clear();
    statement = db.prepare(sql);
    statements.set(sql, statement);
  }
  return statement;
}

const bindable = (value) =>
  value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value;

function run({ sql, parameters }) {
  const statement = prepare(sql);
  const values = parameters.map(bindable);
  return statement.reader
    ? { rows: statement.all(...values), changes: 0 }
    : { rows: [], ...pick(statement.run(...values)) };
}

const nothing = { rows: [], changes: 0 };

const unchanged = () => Object.assign(new Error('A statement has changed nothing'), { code: 'UNCHANGED' });

function runEach(batch) {
  const results = [];
  try {
    for (const statement of batch) {
      const result = statement.needsChange && results.at(-1)?.changes === 0 ? nothing : run(statement);
      if (statement.mustChange && result.changes === 0) throw unchanged();
      results.push(result);
    }
  } catch (error) {
    throw Object.assign(error, { statement: results.length });
  }
  return results;
}

const pick = ({ changes }) => ({ changes });
const describe = ({ message, code, statement }) => ({ message, code, statement });

const [begin, commit, rollback] = ['BEGIN IMMEDIATE', 'COMMIT', 'ROLLBACK'].map((sql) => db.prepare(sql));
const [savepoint, release, undo] = ['SAVEPOINT batch', 'RELEASE batch', 'ROLLBACK TO batch'].map((sql) =>
  db.prepare(sql),
);

function runStatements(batch) {
  // A single statement changes all or nothing.
  if (batch.length === 1) return runEach(batch);
  savepoint.run();
  try {
    const results = runEach(batch);
    release.run();
    return results;
  } catch (error) {
    if (db.inTransaction) {
      undo.run();
      release.run();
    }
    throw error;
  }
}

function runBatch({ batch }) {
  try {
    return { results: runStatements(batch) };
  } catch (error) {
    // A full disk rolls back the whole transaction (sqlite.org/lang_transaction.html §2.3), so the group fails.
    if (!db.inTransaction) throw error;
    return { error: describe(error) };
  }
}

function runGroup(group) {
  try {
    begin.run();
    const responses = group.map(runBatch);
    commit.run();
    return responses;
  } catch (error) {
    if (db.inTransaction) rollback.run();
    return group.map(() => ({ error: describe(error) }));
  }
}

/**
 * Run outside of transactions, between two groups of writes. `exec`, because one step of the statement frees one page.
 */
const tasks = {
  release: (pages) => db.exec(`PRAGMA incremental_vacuum(${pages})`),
  checkpoint: () => db.pragma('wal_checkpoint(PASSIVE)'),
  copy: (path) => db.prepare('VACUUM INTO ?').run(path),
};

function runTask({ task, argument }) {
  try {
    tasks[task](argument);
    return { results: [] };
  } catch (error) {
    return { error: describe(error) };
  }
}

/** In their order: the batches between two tasks are one transaction. */
function runAll(requests) {
  const responses = [];
  for (let at = 0; at < requests.length; ) {
    const task = requests.findIndex((request, index) => index >= at && request.task);
    const end = task < 0 ? requests.length : task;
    if (end > at) responses.push(...runGroup(requests.slice(at, end)));
    if (task >= 0) responses.push(runTask(requests[task]));
    at = task < 0 ? end : task + 1;
  }
  return responses;
}

parentPort.on('message', (message) => {
  if (message !== 'close') {
    parentPort.postMessage([{ id: message.id, responses: runAll(message.requests) }]);
    return;
  }
  db.close();
  parentPort.close();
});
