// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import { Button } from '../components/buttons/Button.tsx';
import { Dialog, DialogFooter } from '../components/dialogs/Dialog.tsx';
import { Form } from '../components/forms/Form.tsx';
import { SegmentedControl } from '../components/forms/SegmentedControl.tsx';
import { plural } from '../format/numbers.ts';
import { timeZone } from '../format/timeZone.ts';
import { localText } from '../format/zonedTime.ts';
import { weekdays } from './DaysField.tsx';
import { type Entry, newId, programmeName, type Rule } from './programmeDraft.ts';
import { RuleTimes } from './RuleTimes.tsx';
import { copyStarts, type Repetition, ruleOf } from './repeatEntry.ts';

type RepeatDialogProps = {
  readonly entry: Entry;
  /** When it is shown, milliseconds. */
  readonly start: number;
  onRule(rule: Rule): void;
  /** @param starts milliseconds */
  onCopies(starts: readonly number[]): void;
  onClose(): void;
};

const kinds = { rule: 'Rule', copies: 'Copies' } as const;

/** Shows a programme again: by a rule, which takes its place, or as copies. */
export function RepeatDialog({ entry, start, onRule, onCopies, onClose }: RepeatDialogProps) {
  const [kind, setKind] = useState<keyof typeof kinds>('rule');
  const [times, setTimes] = useState<Repetition>(() => ({
    days: weekdays,
    at: localText(start).slice(11),
    timeZone: timeZone(),
    until: '',
    except: [],
  }));
  const starts = kind === 'copies' ? copyStarts(start, times) : [];
  const apply = () => {
    if (kind === 'rule') onRule(ruleOf(entry, start, newId(programmeName(entry)), times));
    else onCopies(starts);
    onClose();
  };
  return (
    <Dialog title="Repeat" onClose={onClose}>
      <Form onSubmit={apply}>
        <SegmentedControl label="As" value={kind} options={kinds} onChange={setKind} />
        <RuleTimes
          times={times}
          errorOf={() => undefined}
          onChange={(changed) => setTimes((last) => ({ ...last, ...changed }))}
        />
        <p role="status">
          {kind === 'rule'
            ? 'The rule takes the place of this programme.'
            : `${plural(starts.length, 'showing')} more.`}
        </p>
        <DialogFooter onClose={onClose}>
          <Button
            type="submit"
            kind="primary"
            isDisabled={times.days.length === 0 || (kind === 'copies' && starts.length === 0)}
            reason={times.days.length === 0 ? 'Choose a day.' : 'Copies need a last day after this showing.'}
          >
            Repeat
          </Button>
        </DialogFooter>
      </Form>
    </Dialog>
  );
}
