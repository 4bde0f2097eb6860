import { Code, ScrollArea } from '@mantine/core';
import classes from './code-block.module.css';
import { CopyIcon } from './text.tsx';

/** Code, or what a machine sent: from left to right, as it is, with a button that copies it. Long ones scroll by themselves, by keys too. */
export function CodeBlock({ text, label, height = 420 }: { text: string; label: string; height?: number }) {
  return (
    <div className={classes['frame']} dir="ltr">
      <div className={classes['copy']}>
        <CopyIcon value={text} />
      </div>
      <ScrollArea.Autosize mah={height} viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': label }}>
        <Code block className={classes['text']}>
          {text}
        </Code>
      </ScrollArea.Autosize>
    </div>
  );
}
