// SPDX-License-Identifier: Apache-2.0
import type { ScheduleResponse } from '../../../src/platform/schedules/contract/scheduleContract.ts';
import { useGet } from '../api/useGet.ts';
import { Button } from '../components/buttons/Button.tsx';
import { Dialog, DialogFooter } from '../components/dialogs/Dialog.tsx';
import { LoadState } from '../components/feedback/Loading.tsx';
import { formatDateTimeSeconds } from '../format/time.ts';

type ConflictDialogProps = {
  readonly id: string;
  onApply(latest: ScheduleResponse, etag: string | null): void;
  onDiscard(): void;
  onClose(): void;
};

/** Someone else has saved another version: whose it is, and what to do with the changes here. */
export function ConflictDialog({ id, onApply, onDiscard, onClose }: ConflictDialogProps) {
  // All of it: entries of any week may have changed.
  const latest = useGet('/channels/{id}/schedule', { path: { id } });
  const { data, etag } = latest;
  return (
    <Dialog title="Schedule changed meanwhile" onClose={onClose}>
      <LoadState of={latest} lines={1} />
      {data === undefined ? null : (
        <p>
          {data.modifiedBy ?? 'Someone'} changed this schedule on {formatDateTimeSeconds(data.modifiedAt)}. Your changes
          are not saved. Apply them to the new version, then check and save them again.
        </p>
      )}
      <DialogFooter onClose={onClose}>
        <Button
          kind="primary"
          isDisabled={data === undefined}
          reason="The new version is loading."
          onClick={() => data && onApply(data, etag)}
        >
          Apply my changes
        </Button>
        <Button kind="danger" onClick={onDiscard}>
          Discard my changes
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
