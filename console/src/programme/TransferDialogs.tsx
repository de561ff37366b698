// SPDX-License-Identifier: Apache-2.0
// A week as a document: importing one, and exporting what is stored.
import { useState } from 'preact/hooks';
import type { ScheduleImport } from '../../../src/platform/schedules/contract/scheduleContract.ts';
import { call, callDocument } from '../api/call.ts';
import { saveFile } from '../api/saveFile.ts';
import { useAction } from '../api/useAction.ts';
import { Button } from '../components/buttons/Button.tsx';
import { Dialog, DialogFooter } from '../components/dialogs/Dialog.tsx';
import { ErrorNotice, Notice } from '../components/feedback/Notice.tsx';
import { FoldedWarnings, TextList } from '../components/feedback/TextList.tsx';
import { showToast } from '../components/feedback/Toasts.tsx';
import { Field } from '../components/forms/Field.tsx';
import { FormError } from '../components/forms/Form.tsx';
import { SelectField, toOptions } from '../components/forms/SelectField.tsx';
import { TextField } from '../components/forms/TextField.tsx';
import { plural } from '../format/numbers.ts';
import { formOf, forms, type ScheduleForm } from './transferForms.ts';
import { offerUndo } from './undoChange.ts';

const PATH = '/channels/{id}/schedule';
const ranges = { week: 'This week', all: 'Everything' } as const;
type Range = keyof typeof ranges;

type TransferProps = {
  readonly id: string;
  /** The week that is shown, in milliseconds. */
  readonly week: { readonly from: number; readonly to: number };
  onClose(): void;
};
const rangeQuery = (range: Range, { from, to }: TransferProps['week']) =>
  range === 'all' ? {} : { from: String(from), to: String(to) };

type ImportDialogProps = TransferProps & {
  /** The version that is shown. */
  readonly etag: string | null;
  onImported(): void;
};

/** Replaces what is planned by a document, after a check that names each error with its line. */
export function ImportDialog({ id, week, etag, onImported, onClose }: ImportDialogProps) {
  const [file, setFile] = useState<{ readonly text: string; readonly form: ScheduleForm }>();
  const [range, setRange] = useState<Range>('week');
  const [channelId, setChannelId] = useState('');
  const [checked, setChecked] = useState<ScheduleImport>();
  const send = async (isDryRun: boolean) => {
    const { text, form } = file ?? { text: '', form: 'csv' };
    const query = {
      form,
      ...rangeQuery(range, week),
      ...(isDryRun ? { dryRun: 'true' as const } : {}),
      ...(form === 'xmltv' && channelId !== '' ? { channelId } : {}),
    };
    // The type of JSON would be checked for its fields before it is read.
    return call('POST', `${PATH}/import`, {
      path: { id },
      query,
      body: text as never,
      contentType: 'text/csv',
      ifMatch: etag,
    });
  };
  const check = useAction(async () => setChecked((await send(true)).body));
  const store = useAction(async () => {
    const { body, etag: version } = await send(false);
    const text = `${plural(body.entries, 'programme')} imported.`;
    offerUndo({ id, etag: version, text, undone: 'Import undone.', onUndone: onImported });
    onImported();
    onClose();
  });
  const change = (act: () => void) => {
    act();
    setChecked(undefined);
    check.clear();
    store.clear();
  };
  const read = async (chosen: File | undefined) => {
    const text = (await chosen?.text()) ?? '';
    change(() => setFile(chosen && { text, form: formOf(chosen.name, text) }));
  };
  const error = store.error ?? check.error;
  return (
    <Dialog title="Import schedule" onClose={onClose}>
      <div class="form">
        <Field label="File" hint="CSV of a spreadsheet, XMLTV, MRSS or JSON.">
          {(control) => (
            <input
              {...control}
              type="file"
              accept=".csv,.tsv,.txt,.xml,.rss,.json"
              onChange={({ currentTarget }) => void read(currentTarget.files?.[0])}
            />
          )}
        </Field>
        {file ? (
          <SelectField
            label="Form"
            value={file.form}
            options={toOptions(forms)}
            onChange={(form) => change(() => setFile({ text: file.text, form }))}
          />
        ) : null}
        {file?.form === 'xmltv' ? (
          <TextField
            label="Channel in the file"
            value={channelId}
            hint="Required if the file has several channels."
            onInput={(next) => change(() => setChannelId(next))}
          />
        ) : null}
        <SelectField
          label="Replaces"
          value={range}
          options={toOptions(ranges)}
          hint="What is planned in this time is replaced; what the file has outside of it is left out."
          onChange={(next) => change(() => setRange(next))}
        />
        <FormError error={error} />
        {checked ? <ImportReport report={checked} /> : null}
        <DialogFooter onClose={onClose}>
          <Button isDisabled={file === undefined} reason="Choose a file first." requires="operate" action={check}>
            Check
          </Button>
          <Button
            kind="primary"
            isDisabled={file === undefined}
            reason="Choose a file first."
            requires="operate"
            action={store}
          >
            Import
          </Button>
        </DialogFooter>
      </div>
    </Dialog>
  );
}

type Place = ScheduleImport['errors'][number];
const placeText = ({ line, field, message }: Place): string =>
  `Line ${line}: ${field === undefined ? '' : `${field} `}${message}`;

function ImportReport({
  report: { entries, skipped, errors, errorCount, notices, warnings },
}: {
  readonly report: ScheduleImport;
}) {
  return (
    <div class="stack tight" role="status">
      <Notice tone={errorCount > 0 ? 'warn' : 'info'}>
        {plural(entries, 'programme')} can be imported
        {skipped > 0 ? `, ${skipped} left out` : ''}
        {errorCount > 0 ? `: ${plural(errorCount, 'error')}` : ''}.
      </Notice>
      <TextList class="warnings" texts={errors.map(placeText)} />
      <FoldedWarnings noun="notice" texts={notices.map(placeText)} />
      <FoldedWarnings noun="warning" texts={warnings} />
    </div>
  );
}

/** Saves what is planned as a file. */
export function ExportDialog({ id, week, onClose }: TransferProps) {
  const [form, setForm] = useState<ScheduleForm>('csv');
  const [range, setRange] = useState<Range>('week');
  const save = useAction(async () => {
    const query = { form, ...rangeQuery(range, week) };
    const { text, headers } = await callDocument(`${PATH}/export`, { path: { id }, query, accept: '*/*' });
    const [, name = id] = /filename="([^"]+)"/.exec(headers.get('content-disposition') ?? '') ?? [];
    saveFile(name, text, headers.get('content-type') ?? 'text/plain');
    const left = Number(headers.get('x-entries-left-out'));
    if (left > 0) showToast({ text: `${plural(left, 'programme')} left out: ${forms[form]} cannot express them.` });
    onClose();
  });
  return (
    <Dialog title="Export schedule" onClose={onClose}>
      <div class="form">
        <SelectField
          label="Form"
          value={form}
          options={toOptions(forms)}
          hint={form === 'json' ? 'Has rules, filler and default breaks, too.' : 'Has the entries, without rules.'}
          onChange={(next) => setForm(next)}
        />
        <SelectField label="Exports" value={range} options={toOptions(ranges)} onChange={(next) => setRange(next)} />
        <ErrorNotice error={save.error} />
        <DialogFooter onClose={onClose}>
          <Button kind="primary" icon="download" action={save}>
            Export
          </Button>
        </DialogFooter>
      </div>
    </Dialog>
  );
}
