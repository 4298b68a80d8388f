"""The built-in extractor: works with no model, reads Korean with Kiwi and English by patterns."""

from memoryapp.extract.rules.extractor import RulesExtractor, normalized, read_statement

__all__ = ["RulesExtractor", "normalized", "read_statement"]
