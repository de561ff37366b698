// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ApiResponse } from '../api/call.ts';
import { saveOnce } from '../api/saveOnce.ts';
import { useAction } from '../api/useAction.ts';
import type { Loaded } from '../api/useGet.ts';
import { Button } from '../components/buttons/Button.tsx';
import { editedSetting, rebase } from '../components/forms/settings.ts';
import { useLeaveGuard } from '../navigation/unsavedChanges.ts';
import { UndoButtons, type UndoButtonsProps } from './UndoButtons.tsx';
import { useHistory } from './useHistory.ts';

type Patch = Record<string, unknown>;
type RecordFormOptions<Stored, Form> = {
  readonly stored: Loaded<Stored>;
  toForm(stored: Stored): Form;
  /** What an edit changes, as a merge patch. */
  patchOf(stored: Stored, edited: Form): Patch;
  /** Sends a patch for the version that was read. */
  write(patch: Patch): Promise<ApiResponse<Stored>>;
  read(): Promise<ApiResponse<Stored>>;
  onSaved?(response: ApiResponse<Stored>): void;
};

const isEmpty = (patch: Patch): boolean => Object.keys(patch).length === 0;

/** The form of a stored record. Saving sends only what was edited; edits stay when a newer version is read. */
export function useRecordForm<Stored, Form extends object>(options: RecordFormOptions<Stored, Form>) {
  const { stored, toForm, patchOf, write, read, onSaved } = options;
  const [isSaved, setSaved] = useState(false);
  const history = useHistory<Form>(undefined, editedSetting, () => {
    save.clear();
    setSaved(false);
  });
  const form = history.value;
  const { data } = stored;
  /** The form without edits. */
  const base = useRef<Form>();
  useEffect(() => {
    if (data === undefined) return;
    const latest = toForm(data);
    const previous = base.current;
    base.current = latest;
    if (form && previous) history.map((edited) => rebase(edited, previous, latest));
    else history.start(latest);
  }, [data]);
  const patch = form && data !== undefined ? patchOf(data, form) : {};
  const isChanged = !isEmpty(patch);
  const save = useAction(async () => {
    const response = await saveOnce(
      () => write(patch),
      read,
      (latest) => form !== undefined && isEmpty(patchOf(latest, form)),
    );
    // Keeps what was typed while the request was under way.
    base.current = form;
    stored.replace(response);
    onSaved?.(response);
    setSaved(true);
  });
  useLeaveGuard(isChanged && !save.isBusy);
  return {
    form,
    history,
    save,
    isChanged,
    isSaved: isSaved && !isChanged,
    edit(change: (form: Form) => Form) {
      history.edit(change);
      setSaved(false);
    },
    discard() {
      if (data !== undefined) history.edit(() => toForm(data));
      save.clear();
    },
    /** Replaces the edits with the stored version. */
    loadLatest() {
      save.clear();
      base.current = undefined;
      stored.reload();
    },
  };
}

type RecordFooterProps = {
  readonly of: UndoButtonsProps & {
    readonly save: { readonly isBusy: boolean };
    readonly isChanged: boolean;
    discard(): void;
  };
  /** What saving requires. */
  readonly requires: 'manage' | 'tenant';
  readonly children?: ComponentChildren;
};

export const RecordFooter = ({ of: { save, isChanged, discard, history }, requires, children }: RecordFooterProps) => {
  const idle = { isDisabled: !isChanged, reason: 'There are no unsaved changes.' };
  return (
    <footer>
      <Button type="submit" kind="primary" requires={requires} isBusy={save.isBusy} {...idle}>
        Save
      </Button>
      <Button onClick={discard} {...idle}>
        Discard changes
      </Button>
      <UndoButtons history={history} />
      {children}
    </footer>
  );
};
