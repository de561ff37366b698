// SPDX-License-Identifier: Apache-2.0
import { callText } from '../api/call.ts';
import { useAction } from '../api/useAction.ts';
import { Button } from '../components/buttons/Button.tsx';
import { ErrorNotice } from '../components/feedback/Notice.tsx';

const CSV = 'text/csv';

/** Downloads the rows of a report as CSV. @param path of the report, with its query */
export function CsvButton({ path, name }: { readonly path: string; readonly name: string }) {
  const download = useAction(async () => {
    const url = URL.createObjectURL(new Blob([await callText(path, { accept: CSV })], { type: CSV }));
    const link = document.createElement('a');
    link.href = url;
    link.download = `${name}.csv`;
    link.click();
    URL.revokeObjectURL(url);
  });
  return (
    <>
      <ErrorNotice error={download.error} />
      <Button icon="download" isBusy={download.isBusy} onClick={() => void download.run()}>
        Export CSV
      </Button>
    </>
  );
}
