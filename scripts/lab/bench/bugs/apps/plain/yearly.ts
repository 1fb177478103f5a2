export const text = (): string => "All sales of the year";
