import type { Home, HomeHost } from "@/api/generated";
import { Select } from "@/components/Select";
import { messages } from "@/messages";
import { RichText } from "@/messages/RichText";
import styles from "./home.module.css";

const t = messages("home");

interface Props {
  home: Home | undefined;
  onHost: (name: string) => void;
}

/** The question of the page, with the host of its answers. */
export function HomeHead({ home, onHost }: Props) {
  const host = home?.host ?? null;
  return (
    <header className={styles.hero}>
      <h1>
        {host === null ? (
          t("titleNone")
        ) : (
          <RichText
            namespace="home"
            id="title"
            values={{ host }}
            parts={{ choice: <HostChoice host={host} hosts={home?.hosts ?? []} onHost={onHost} /> }}
          />
        )}
      </h1>
    </header>
  );
}

interface ChoiceProps {
  host: string;
  hosts: readonly HomeHost[];
  onHost: (name: string) => void;
}

/** The name of the host: a list where there are several. */
function HostChoice({ host, hosts, onHost }: ChoiceProps) {
  if (hosts.length < 2) return <bdi>{host}</bdi>;
  const options = hosts.map(({ name }) => ({ value: name, label: name }));
  return (
    <span className={styles.choice}>
      <Select label={t("host")} options={options} value={host} onChange={onHost} />
    </span>
  );
}
