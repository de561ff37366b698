import { callText } from '../api/call.ts';
import { useAction } from '../api/useAction.ts';
import { Button } from '../parts/Button.tsx';
import { ErrorNotice } from '../parts/Notice.tsx';

/** The rows as the interface writes them in CSV, saved as a file. */
export function CsvButton({ path, name }: { readonly path: string; readonly name: string }) {
  const save = useAction(async () => {
    const url = URL.createObjectURL(new Blob([await callText(path, { accept: 'text/csv' })], { type: 'text/csv' }));
    const link = document.createElement('a');
    link.href = url;
    link.download = `${name}.csv`;
    link.click();
    URL.revokeObjectURL(url);
  });
  return (
    <>
      <ErrorNotice error={save.error} />
      <Button icon="download" isBusy={save.isBusy} onClick={() => void save.run()}>
        Save as CSV
      </Button>
    </>
  );
}
