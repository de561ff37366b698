// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from 'preact/hooks';
import { Button } from '../components/buttons/Button.tsx';
import { Dialog, DialogFooter } from '../components/dialogs/Dialog.tsx';
import { Form } from '../components/forms/Form.tsx';
import { NumberField } from '../components/forms/NumberField.tsx';
import { Toggle } from '../components/forms/Toggle.tsx';
import { plural } from '../format/numbers.ts';
import { formatTimecode } from '../format/time.ts';
import { type Measured, regularPoints, withBreaksEvery } from './cuePlacement.ts';
import type { DraftItem } from './playlistDraft.ts';
import { checkSource, isCheckable, useKnownChecks } from './useSourceCheck.ts';

type BreaksEveryDialogProps = {
  readonly items: readonly DraftItem[];
  /** Receives the items that have changed. */
  onApply(items: readonly DraftItem[]): void;
  onClose(): void;
};

const MAX_LISTED = 8;

/** Places breaks every n minutes on one or several items. Items that were not checked are checked first. */
export function BreaksEveryDialog({ items, onApply, onClose }: BreaksEveryDialogProps) {
  const [minutes, setMinutes] = useState<number | undefined>(8);
  const [maxDuration, setMaxDuration] = useState<number | undefined>(60);
  const [maxAds, setMaxAds] = useState<number | undefined>(4);
  const [isReplacing, setReplacing] = useState(true);
  const [isChecking, setChecking] = useState(true);
  const checks = useKnownChecks();
  useEffect(() => {
    const controller = new AbortController();
    async function checkAll() {
      for (const { url } of items) {
        const text = url.trim();
        if (isCheckable(text) && !checks.has(text)) await checkSource(text, false, controller.signal);
      }
      setChecking(false);
    }
    checkAll().catch(() => {});
    return () => controller.abort();
  }, []);
  const measured = (item: DraftItem): Measured | undefined => {
    const check = checks.get(item.url.trim());
    const duration = check?.duration ?? item.duration;
    return duration === undefined ? undefined : { duration, cutPoints: check?.cutPoints ?? [] };
  };
  const points = items.map((item) => {
    const of = measured(item);
    return of === undefined ? undefined : regularPoints(of, minutes ?? 0);
  });
  const total = points.reduce((sum, each) => sum + (each?.length ?? 0), 0);
  const skipped = points.filter((each) => each === undefined).length;
  const [first = []] = points;
  const apply = () => {
    const regular = { minutes: minutes ?? 0, maxDuration, maxAds, isReplacing };
    onApply(
      items.flatMap((item) => {
        const of = measured(item);
        return of === undefined ? [] : [withBreaksEvery(item, of, regular)];
      }),
    );
    onClose();
  };
  return (
    <Dialog
      title={items.length === 1 ? 'Set breaks' : `Set breaks of ${plural(items.length, 'item')}`}
      onClose={onClose}
    >
      <Form onSubmit={apply}>
        <div class="pair">
          <NumberField label="Every (min)" value={minutes} onInput={setMinutes} />
          <NumberField
            label="Duration (s)"
            value={maxDuration}
            hint="Empty: channel default."
            onInput={setMaxDuration}
          />
          <NumberField label="Max ads" value={maxAds} hint="Empty: no limit." onInput={setMaxAds} />
        </div>
        <Toggle label="Replace existing breaks" isOn={isReplacing} onChange={setReplacing} />
        <p role="status">
          {plural(total, 'break')}
          {items.length === 1 && first.length > 0
            ? `: ${first
                .slice(0, MAX_LISTED)
                .map((at) => formatTimecode(at))
                .join(', ')}${first.length > MAX_LISTED ? ' …' : ''}`
            : ''}
          .{' '}
          {isChecking
            ? 'Checking sources…'
            : skipped > 0
              ? `${plural(skipped, 'item')} without a known duration skipped.`
              : ''}
        </p>
        <DialogFooter onClose={onClose}>
          <Button
            type="submit"
            kind="primary"
            isDisabled={total === 0 && !isReplacing}
            reason="These values make no breaks."
          >
            Set breaks
          </Button>
        </DialogFooter>
      </Form>
    </Dialog>
  );
}
