// SPDX-License-Identifier: Apache-2.0
import { withoutUndefined } from '../../../src/invariant.ts';
import type { FieldError } from '../api/apiError.ts';
import { Button } from '../components/buttons/Button.tsx';
import { Notice } from '../components/feedback/Notice.tsx';
import { TextList } from '../components/feedback/TextList.tsx';
import { fieldError } from '../components/forms/fieldErrors.ts';
import { SegmentedControl } from '../components/forms/SegmentedControl.tsx';
import { TextField } from '../components/forms/TextField.tsx';
import { timeZone } from '../format/timeZone.ts';
import { fromLocalText, localText } from '../format/zonedTime.ts';
import { EntryForm } from './EntryForm.tsx';
import type { Block } from './programmeBlocks.ts';
import { type Entry, programmeName } from './programmeDraft.ts';

type EntryPanelProps = {
  readonly entry: Entry;
  /** Where it is shown; undefined in another week. */
  readonly block: Block | undefined;
  /** The JSON Pointer by which the API reports its errors. */
  readonly path: string;
  readonly errors: readonly FieldError[];
  /** The id of the programme before it, if it can follow one. */
  readonly previousId: string | undefined;
  /** @param after the id of the programme that it follows */
  onChange(entry: Entry, after?: string): void;
  onCopy(): void;
  onRepeat(): void;
  onRemove(): void;
  onClose(): void;
};

const starts = { fixed: 'At a time', after: 'After previous' } as const;

/** One programme. */
export function EntryPanel(props: EntryPanelProps) {
  const { entry, block, path, errors, previousId, onChange, onCopy, onRepeat, onRemove, onClose } = props;
  const { start } = entry;
  const setStart = (time: number) => onChange({ ...entry, start: new Date(time).toISOString() });
  const follow = () => {
    const { start: _, ...rest } = entry;
    onChange(rest, previousId);
  };
  return (
    <section class="card form" aria-label="Programme">
      <header class="row between">
        <h2 class="wraps">{programmeName(entry)}</h2>
        <Button icon="close" kind="quiet" label="Close programme" onClick={onClose} />
      </header>
      {block === undefined || block.notes.length === 0 ? null : (
        <Notice tone="warn">
          <TextList texts={block.notes} />
        </Notice>
      )}
      <SegmentedControl
        label="Start"
        value={start === undefined ? 'after' : 'fixed'}
        options={previousId === undefined && start !== undefined ? { fixed: starts.fixed } : starts}
        onChange={(kind) => (kind === 'after' ? follow() : block && setStart(block.from))}
      />
      {start === undefined ? null : (
        <TextField
          label="Start"
          type="datetime-local"
          step={1}
          value={localText(Date.parse(start))}
          error={fieldError(errors, `${path}/start`)}
          hint={`Time zone: ${timeZone().replaceAll('_', ' ')}.`}
          onInput={(text) => {
            const time = fromLocalText(text);
            if (time !== undefined) setStart(time);
          }}
        />
      )}
      <EntryForm
        key={entry.id}
        entry={entry}
        path={path}
        errors={errors}
        onChange={(changed) => onChange(withoutUndefined({ ...entry, ...changed }) as Entry)}
      />
      <footer>
        <Button icon="copy" onClick={onCopy}>
          Copy
        </Button>
        <Button icon="refresh" onClick={onRepeat}>
          Repeat…
        </Button>
        <Button icon="trash" kind="quiet" onClick={onRemove}>
          Remove
        </Button>
      </footer>
    </section>
  );
}
