"""The built-in extractor: works with no model, reads Korean with Kiwi and English by patterns."""

from memoryapp.extract.rules.extractor import RulesExtractor, read_statement

__all__ = ["RulesExtractor", "read_statement"]
