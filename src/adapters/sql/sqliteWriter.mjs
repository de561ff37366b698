// SPDX-License-Identifier: Apache-2.0
// The thread that writes the SQLite file, so that no fsync delays a request. All waiting batches are committed
// together; each has its own savepoint, so a batch that fails does not affect the others. Plain JavaScript: worker
// threads start without a TypeScript loader.
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';

const GROUP_LIMIT = 1000;
const STATEMENT_LIMIT = 500;

const db = new Database(workerData.path, { timeout: workerData.busyTimeout });
db.pragma('journal_mode = WAL');
db.pragma('synchronous = FULL');
db.pragma(`journal_size_limit = ${workerData.journalLimit}`);

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

const pick = ({ changes }) => ({ changes });
const describe = (error) => ({ message: error.message, code: error.code });

function runBatch({ id, batch }) {
  db.exec('SAVEPOINT batch');
  try {
    const results = batch.map(run);
    db.exec('RELEASE batch');
    return { id, results };
  } catch (error) {
    // A full disk rolls back the whole transaction (sqlite.org/lang_transaction.html §2.3), so the group fails.
    if (!db.inTransaction) throw error;
    db.exec('ROLLBACK TO batch');
    db.exec('RELEASE batch');
    return { id, error: describe(error) };
  }
}

function runGroup(group) {
  try {
    db.exec('BEGIN IMMEDIATE');
    const responses = group.map(runBatch);
    db.exec('COMMIT');
    return responses;
  } catch (error) {
    if (db.inTransaction) db.exec('ROLLBACK');
    return group.map(({ id }) => ({ id, error: describe(error) }));
  }
}

/**
 * Run outside of transactions, between two groups of writes. `exec`, because one step of the statement frees one page.
 */
const tasks = {
  release: (pages) => db.exec(`PRAGMA incremental_vacuum(${pages})`),
  checkpoint: () => db.pragma('wal_checkpoint(PASSIVE)'),
  rebuild: () => db.exec('PRAGMA auto_vacuum = INCREMENTAL; VACUUM'),
  copy: (path) => db.prepare('VACUUM INTO ?').run(path),
};

function runTask({ id, task, argument }) {
  try {
    tasks[task](argument);
    return { id, results: [] };
  } catch (error) {
    return { id, error: describe(error) };
  }
}

parentPort.on('message', (first) => {
  if (first === 'close') {
    db.close();
    parentPort.close();
    return;
  }
  if (first.task) {
    parentPort.postMessage([runTask(first)]);
    return;
  }
  const group = [first];
  let task;
  let closing = false;
  while (group.length < GROUP_LIMIT) {
    const next = receiveMessageOnPort(parentPort);
    if (!next) break;
    if (next.message === 'close') {
      closing = true;
      break;
    }
    if (next.message.task) {
      task = next.message;
      break;
    }
    group.push(next.message);
  }
  parentPort.postMessage(runGroup(group));
  if (task) parentPort.postMessage([runTask(task)]);
  if (closing) {
    db.close();
    parentPort.close();
  }
});
