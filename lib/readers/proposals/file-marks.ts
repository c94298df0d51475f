import {
  type MarkEvidence,
  markKind,
  type NumbersRead,
  type WrittenNumbers,
} from "@/lib/readers/typed/written-numbers";

/** What a file's columns say about the marks in its numbers. */
export interface FileMarks {
  evidence: readonly MarkEvidence[];
  /** The signs that separate thousands in columns that leave no doubt. */
  thousands: ReadonlySet<string>;
  delimiter: string | undefined;
}

interface ReadColumn {
  evidence: MarkEvidence;
  numbers: WrittenNumbers;
}

export const fileMarks = (columns: readonly ReadColumn[], delimiter: string | undefined): FileMarks => ({
  evidence: columns.map(({ evidence }) => evidence),
  thousands: new Set(columns.flatMap(({ evidence, numbers }) => (evidence === "either" ? [] : thousandsOf(numbers)))),
  delimiter,
});

const thousandsOf = ({ point, comma }: WrittenNumbers): string[] =>
  ((point ?? comma)?.notation.thousands ?? []).map(markKind);

/** Whether numbers read so would separate thousands by another sign than the rest of their file. */
export const hasOtherThousands = ({ notation }: NumbersRead, thousands: FileMarks["thousands"]): boolean =>
  thousands.size > 0 && notation.thousands.some((sign) => !thousands.has(markKind(sign)));
