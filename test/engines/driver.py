"""An engine of Python's: one request as JSON a line in, one answer as JSON a line out, until the input ends."""

import json
import os
import sys
import tempfile

TYPES = {"int": "Int32", "bigint": "Int64", "text": "String"}


def clickhouse():
    from chdb import session

    engine = session.Session(os.path.join(tempfile.mkdtemp(), "clickhouse"))

    def run(sql):
        return engine.query(sql, "JSONEachRow").bytes().decode() if sql else ""

    for sql in ("CREATE DATABASE w", "USE w", "SET join_use_nulls = 1", "SET output_format_json_quote_64bit_integers = 0"):
        run(sql)

    def load(table, columns, nullable, rows):
        types = [f"{name} Nullable({TYPES[kind]})" if name in nullable else f"{name} {TYPES[kind]}" for name, kind in columns]
        run(f"DROP TABLE IF EXISTS {table}")
        run(f"CREATE TABLE {table} ({', '.join(types)}) ENGINE = MergeTree ORDER BY tuple()")
        if rows:
            run(f"INSERT INTO {table} FORMAT JSONEachRow\n" + "\n".join(json.dumps(row) for row in rows))

    return lambda sql: [json.loads(line) for line in run(sql).split("\n") if line], load


def spark():
    from pyspark.sql import SparkSession

    os.chdir(tempfile.mkdtemp())
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        # Hundreds of statements leave plans behind: with the usual 1 GB the process may end.
        "spark.driver.memory": "2g",
        # Two partitions for two cores: the usual 200 are for large tables.
        "spark.sql.shuffle.partitions": "2",
        # Tables are small, and each statement runs once: less is compiled.
        "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    }
    builder = SparkSession.builder.master("local[2]")
    for key, value in settings.items():
        builder = builder.config(key, value)
    engine = builder.getOrCreate()

    def all(sql):
        return [row.asDict() for row in engine.sql(sql).collect()]

    def load(table, columns, nullable, rows):
        schema = ", ".join(f"{name} {'string' if kind == 'text' else kind}" for name, kind in columns)
        engine.sql(f"DROP TABLE IF EXISTS {table}")
        values = [tuple(row.get(name) for name, _ in columns) for row in rows]
        engine.createDataFrame(values, schema).coalesce(1).write.saveAsTable(table)

    return all, load


def sqlglot():
    from sqlglot import ErrorLevel, exp, parse

    def check(sql, dialect):
        for statement in parse(sql, read=dialect, error_level=ErrorLevel.RAISE):
            # Of what it does not know, the parser makes a command with its text, or an expression.
            if not isinstance(statement, (exp.Query, exp.Create, exp.Drop, exp.Insert)):
                raise ValueError(f"not understood: {sql[:200]}")
        return []

    return check, None


def main(name):
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    # What an engine prints by itself is no answer.
    os.dup2(2, 1)
    ask, load = {"clickhouse": clickhouse, "spark": spark, "sqlglot": sqlglot}[name]()
    for line in sys.stdin.buffer:
        request = json.loads(line)
        try:
            if "load" in request:
                load(**request["load"])
                answer = {"rows": []}
            else:
                answer = {"rows": ask(**request)}
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


main(sys.argv[1])
