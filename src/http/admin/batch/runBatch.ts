// SPDX-License-Identifier: Apache-2.0
// Executes the changes of a batch one after the other, so that each one finds what those before it have changed. Other requests get
// a turn in between.
import type { AtomicBatch, BatchConflict, GatherChanges } from '../../../channels/ports.ts';
import { AppError, errorBody, internalErrorBody } from '../../../errors.ts';
import { nextTurn } from '../../../ingest/source/inTurns.ts';
import { withoutUndefined } from '../../../invariant.ts';
import type { BatchChange, BatchResponse, BatchResult } from '../../contract/batchContract.ts';
import type { RouteResponse } from '../request/route.ts';

type BatchDeps = {
  /** Executes a change as the request that it stands for. */
  readonly execute: (change: BatchChange, afterwards: (work: () => void) => void) => Promise<RouteResponse>;
  readonly gather: GatherChanges;
  readonly requestId: string;
  readonly onFailed: (error: unknown) => void;
};

const FIRST_FAILURE = 400;
const isFailure = ({ status }: BatchResult): boolean => status >= FIRST_FAILURE;

function shown({ method }: BatchChange, { status, headers = {}, json }: RouteResponse): BatchResult {
  const { etag, 'x-restore': restore } = headers;
  return { status, ...withoutUndefined({ etag, restore, body: method === 'POST' ? json : undefined }) };
}

const refused = (error: AppError): BatchResult => ({
  status: error.status,
  error: errorBody(error) as BatchResult['error'] & object,
});

/** @param cause index of the change that has failed */
const notApplied = (cause: number): BatchResult =>
  refused(
    new AppError(
      'NOT_APPLIED',
      `Not made because change ${cause} has failed. Correct that one, then send the changes again.`,
    ),
  );

type Change = (change: BatchChange, index: number) => Promise<RouteResponse>;

/** @param onFailed the result of a failure of the server, after which the remaining changes would fail in the same way */
async function runInTurn(
  changes: readonly BatchChange[],
  make: Change,
  onFailed: (error: unknown) => BatchResult,
): Promise<BatchResult[]> {
  const results: BatchResult[] = [];
  for (const [index, change] of changes.entries()) {
    await nextTurn();
    try {
      results.push(shown(change, await make(change, index)));
    } catch (error) {
      if (error instanceof AppError && error.status < 500) results.push(refused(error));
      else return [...results, onFailed(error), ...changes.slice(index + 1).map(() => notApplied(index))];
    }
  }
  return results;
}

const conflictOf = ({ reason }: BatchConflict): BatchResult =>
  refused(
    new AppError(
      'CONFLICT',
      reason === 'taken'
        ? 'The ID is in use, or the API key is in use with this ID. Choose another one.'
        : 'The record was changed by another request, or there are as many as there can be. Read it again, then retry.',
    ),
  );

/** All but the failures are not applied. */
function undone(results: readonly BatchResult[]): BatchResult[] {
  const cause = results.findIndex(isFailure);
  return results.map((result) => (isFailure(result) ? result : notApplied(cause)));
}

async function gatherEach(changes: readonly BatchChange[], batch: AtomicBatch, make: Change): Promise<BatchResult[]> {
  const gather: Change = (change, index) => {
    batch.begin(index);
    return make(change, index);
  };
  const results = await runInTurn(changes, gather, (error) => {
    // Nothing was made, so it is the failure of the whole request.
    throw error;
  });
  if (results.some(isFailure)) return undone(results);
  const conflict = await batch.write();
  return conflict === undefined ? results : undone(results.with(conflict.index, conflictOf(conflict)));
}

/** @throws {AppError} if an atomic batch could not be stored */
export async function runBatch(
  changes: readonly BatchChange[],
  isAtomic: boolean,
  { execute, gather, requestId, onFailed }: BatchDeps,
): Promise<BatchResponse> {
  const pending: (() => void)[] = [];
  const make: Change = (change) =>
    execute(change, (work) => {
      pending.push(work);
      if (!isAtomic && pending.length >= ANNOUNCED_IN_TURN) void announce(pending);
    });
  const failed = (error: unknown): BatchResult => {
    onFailed(error);
    const body = error instanceof AppError ? errorBody(error) : internalErrorBody(requestId);
    return { status: body.code, error: { ...body, requestId } as BatchResult['error'] & object };
  };
  const results = isAtomic
    ? await gather((batch) => gatherEach(changes, batch, make))
    : await runInTurn(changes, make, failed);
  const applied = !(isAtomic && results.some(isFailure));
  if (applied) void announce(pending);
  return { applied, results };
}

/** Planning a channel reads which ones are enabled. Those that are announced in the same turn share this. */
const ANNOUNCED_IN_TURN = 20;

async function announce(pending: (() => void)[]): Promise<void> {
  while (pending.length > 0) {
    for (const work of pending.splice(0, ANNOUNCED_IN_TURN)) work();
    await nextTurn();
  }
}
