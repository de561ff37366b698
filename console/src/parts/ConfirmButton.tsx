import { useState } from 'preact/hooks';
import { type Action, useAction } from '../api/useAction.ts';
import { Button } from './Button.tsx';
import { Dialog } from './Dialog.tsx';
import { ErrorNotice } from './Notice.tsx';

type ConfirmButtonProps = {
  readonly label: string;
  /** Where there are many of them, none is in the way: those that are not dangerous are small. */
  readonly kind?: 'danger' | 'plain' | 'quiet';
  /** What will happen, in a sentence or two. */
  readonly question: string;
  act(): Promise<unknown>;
  /** When it is done and nothing is asked any more. */
  onDone?(): void;
};

/** For what cannot be undone: asks once, and says what went wrong where it does. */
export function ConfirmButton({ label, question, kind = 'danger', act, onDone }: ConfirmButtonProps) {
  const [isAsking, setAsking] = useState(false);
  const action: Action<[]> = useAction(act);
  const confirm = async () => {
    if (!(await action.run())) return;
    setAsking(false);
    onDone?.();
  };
  return (
    <>
      <Button kind={kind} isSmall={kind !== 'danger'} onClick={() => setAsking(true)}>
        {label}
      </Button>
      {isAsking ? (
        <Dialog title={`${label}?`} onClose={() => setAsking(false)}>
          <p>{question}</p>
          <ErrorNotice error={action.error} />
          <footer>
            <Button onClick={() => setAsking(false)}>Keep</Button>
            <Button kind={kind === 'plain' ? 'primary' : 'danger'} isBusy={action.isBusy} onClick={confirm}>
              {label}
            </Button>
          </footer>
        </Dialog>
      ) : null}
    </>
  );
}
