// SPDX-License-Identifier: Apache-2.0
// Sends the changes of a plan, says what came of them, and offers to undo all of it at once.
import { errorMessage } from '../api/apiError.ts';
import { call } from '../api/call.ts';
import { showToast } from '../components/feedback/Toasts.tsx';
import { formatCount, plural } from '../format/numbers.ts';
import { bulkReport } from './BulkReport.tsx';
import { batchesOf, type Outcome, outcomeOf, type Plan, type Result, undoPlan } from './bulkPlan.ts';

/** The end of `3 channels …`, and what they are called. */
export type Words = { readonly noun: string; readonly done: string };

/** Called with how many changes have been sent. */
type Progress = (sent: number) => void;

/** After a failed request, nothing more is sent: its changes and those that follow are reported. */
async function send({ changes }: Plan, onProgress: Progress): Promise<Result[]> {
  const results: Result[] = [];
  for (const batch of batchesOf(changes)) {
    try {
      const { body } = await call('POST', '/batch', { body: { changes: [...batch] } });
      results.push(...body.results);
    } catch (error) {
      results.push(...batch.map(() => ({ status: 0, error: { message: errorMessage(error) } })));
      break;
    }
    onProgress(results.length);
  }
  return results;
}

const textOf = ({ done, left }: Outcome, { noun, done: verb }: Words): string => {
  if (done.length === 0 && left.length === 0) return `Nothing to change: already ${verb}.`;
  if (left.length === 0) return `${plural(done.length, noun)} ${verb}.`;
  return `${formatCount(done.length)} of ${plural(done.length + left.length, noun)} ${verb}.`;
};

/** @param onChanged reads the list again */
export async function runPlan(
  plan: Plan,
  words: Words,
  onChanged: () => void,
  onProgress: Progress = () => {},
): Promise<void> {
  const outcome = outcomeOf(plan, await send(plan, onProgress));
  const back = undoPlan(outcome);
  const undo = () => runPlan(back, { ...words, done: 'restored' }, onChanged);
  showToast({
    text: textOf(outcome, words),
    ...(outcome.done.length === 0 && outcome.left.length > 0 ? { tone: 'bad' } : {}),
    ...(back.changes.length > 0 && words.done !== 'restored' ? { undo } : {}),
  });
  if (outcome.left.length > 0) bulkReport.write({ ...words, left: outcome.left });
  onChanged();
}
