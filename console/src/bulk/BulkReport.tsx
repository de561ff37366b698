// SPDX-License-Identifier: Apache-2.0
import { Link } from 'wouter-preact';
import { Dialog, DialogFooter } from '../components/dialogs/Dialog.tsx';
import { plural } from '../format/numbers.ts';
import type { Left } from './bulkPlan.ts';
import './bulk.css';
import { createStore } from '../stores/createStore.ts';

type Report = { readonly noun: string; readonly done: string; readonly left: readonly Left[] };

/** A report is opened above any page: an undo may end after the operator has gone to another one. */
export const bulkReport = createStore<Report | undefined>(undefined);

/** Which records a change of many has left, and why. */
export function BulkReport() {
  const report = bulkReport.use();
  if (report === undefined) return null;
  const { noun, done, left } = report;
  const close = () => bulkReport.write(undefined);
  return (
    <Dialog title={`${plural(left.length, noun)} not ${done}`} onClose={close}>
      <ul class="left-records stack tight">
        {left.map(({ id, name, href, reason }) => (
          <li key={id}>
            {href === undefined ? (
              <strong>{name}</strong>
            ) : (
              <Link href={href} onClick={close}>
                {name}
              </Link>
            )}
            <span class="muted">{reason}</span>
          </li>
        ))}
      </ul>
      <DialogFooter dismiss="Close" onClose={close} />
    </Dialog>
  );
}
